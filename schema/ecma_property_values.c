/* SPDX-License-Identifier: MIT
 *
 * Made by scripts/make_unicode_tables.py from the Unicode Character Database, version 15.0.0.
 * Names of one set are separated by spaces; the script says how the sets are written.
 */
#include "schema/ecma_property.h"

/* clang-format off */
const struct ecma_property ecma_property_values[] = {
    {ECMA_CATEGORY, "C Other",
     "]}Bx~j^U]_cad^^^q^Kt^Aa_Am_`^Arexacns^Es^Ak_Av_B~kAv_Al_l^y_^^hb|fBc^Dv^e___s^d^^`a_f___ae^"
     "a_^b_v_`^ca__s^d^_^_^__^^ba__``^da^^dng`^f^`^s^d^_^b_g^`^`_^la_idd^`^e___s^d^_^b_f___`d`a_^"
     "b_og_^c``^a`_^^^_`_```iab``^a_^c^krbj^`^t^m_f^`^ad_^`_^_a_gds^`^t^g^b_f^`^ad_c_^a_g^`ij^`^A"
     "n^`^cam_w^`^o`u^f^^_d`^ac^^^ecg_`iAuazA`_^^^b^u^^^t_b^^^d^g_a}Ba^A_aAb^A_^l^jA`Ey^^b^_K`^a_"
     "d^^^a_Ad^a_~^a_d^^^a_l^At^a_A~_}`wcBo_c_St`Brdsfufqij^`^_iBw_gcgck^hcBrdAfbB_g|^iaia^`Ae_bh"
     "Agawch`Ay_A|^z_hcgck_|AlBf`Aj^CkeAw`l`AwdAf_heAfbOu_c_Aa_c_e^^^^^^^|_Ap^l^k_c^p_`^f^hbwbAlm"
     "__x^j`~l~lDaaSnvhrAYg_}^JfbAh^^b^_Asd_kufd^d^d^d^d^d^d^d^CuA]w^BriFgwiaA{^Bo_C^bAf^Bw^BmiAj"
     "^ABUp`ArfJeqEkeE~b_^^^buAv`gcAseB_eicCkh{`Bg^ha~^Arfk_g_C^uygc_c_cfd^d^AwaCu_gcKTqitaAlHXqJ"
     "w_CaAadibbw^b^^^_^_^CtmM`_Aqd^}AecAn^p^aab^C~aEq`c_c_c_``d^dj__i^w^p^_^l_kA]Crb`aAh`Bq^j`^A"
     "jAiCyz`AllyaA_f{bAfb{^A`akAeDs_gcA_aA_aAceAohi^l^d^_^h^l^d^_A~Ibfsgeuc^Ae^fB^c_^^Ag^_`^_t^B"
     "aefAkp^_b~`xb^A{Asaq_Am^_be^`^z_`agdfdA{}AbaifAq`z_xbwdaidBiBbArAnjAndAiegHs|^Ae^`__BdAfeAe"
     "swAayqtfBgaA_fAy^bjvdgcAp^oeAbfBy^qho^AjAyd^^^a^l^hcAvbgca^e___s^d^_^b^g___`_^c^bd_d`bD`Bu^"
     "b{BaegD{Aq_AaA]B^hgcjpAucgAqx_latElAwB}Blie_^_e^_^{^__ifgB_e_Ai_hxBaeBljBbdgGef^Ah^kgz`}_s^"
     "kBbd^_^Ag`^^_^fegcc^_^A`^_^cdgIavdn^Ad`yBo^lAmj[bC]Cf^bhEwBUoB|jAComsDE}QbIA|Pvd|^gaBj^gc{_"
     "cgB_gg^d^rbpTeBtB~BdaAtdnA{bh_kFLmeAHkAefIJxa^d^_^Hpl^z`_^kaeKsBK{Cbbj`fdg_aDZiAi_tfCkAwGeg"
     "Ab_BceCgrB_CqqiqiBpfvC~Bn^B`^__^___a^i^^^d^A|^a_e^d^y^a^b^^`d^J]_Hq_Tslb^lADm|ccFfd^n_d^_^b"
     "bAy~^CgAh`k_ga_Ik|nAub^MsAeUyd^a^_^l^Ex_mAdBeaga_W`B]BeAxEua^x^_^^_^^g^a^^^^c^a^^^^^^`^_^^_"
     "^^^^^^^^^^_^^_a^d^a^a^^^g^nb`^b^nAo_G}AgaB}il_l^l^A`gEaAszjAgafd_kcDoA@}an`j`CnaBxcia^liaAs"
     "egcAce{__BgJ]ik_j`fdAi^dekafdfdDh^ArA`gABgAPXm}DJccFo_FAmkGWxCGfO}APgEEfbDKgZSYsG_GJ@]"},
    {ECMA_CATEGORY, "Cc Control cntrl", "]}Bx~"},
    {ECMA_CATEGORY, "Cf Format",
     "E`^AL_cs^Es^Al^Kg_Bi^DBd^BDabwbAlb^gBCWv^Gh`DNb^l^INkmAHRyaEPteAAZPs^{By"},
    {ECMA_CATEGORY, "Cn Unassigned",
     "Za_cad^^^q^Kt^Aa_Am_`^ArexachG}^Aw_B~kAv_Al_l^y_^^hb|^_cF}^e___s^d^^`a_f___ae^a_^b_v_`^ca__"
     "s^d^_^_^__^^ba__``^da^^dng`^f^`^s^d^_^b_g^`^`_^la_idd^`^e___s^d^_^b_f___`d`a_^b_og_^c``^a`_"
     "^^^_`_```iab``^a_^c^krbj^`^t^m_f^`^ad_^`_^_a_gds^`^t^g^b_f^`^ad_c_^a_g^`ij^`^An^`^cam_w^`^o"
     "`u^f^^_d`^ac^^^ecg_`iAuazA`_^^^b^u^^^t_b^^^d^g_a}Ba^A_aAb^A_^l^jA`Ey^^b^_K`^a_d^^^a_Ad^a_~^"
     "a_d^^^a_l^At^a_A~_}`wcBo_c_St`Brdsfufqij^`^_iBw_gcgcwcBrdAfbB_g|^iaia^`Ae_bhAgawch`Ay_A|^z_"
     "hcgck_|AlBf`Aj^CkeAw`l`AwdAf_heAfbOu_c_Aa_c_e^^^^^^^|_Ap^l^k_c^p_`^f^B~^i_x^j`~l~lDaaSnvhrA"
     "Yg_}^JfbAh^^b^_Asd_kufd^d^d^d^d^d^d^d^CuA]w^BriFgwiaA{^Bo_C^bAf^Bw^BmiAj^ABUp`ArfJeqEkeE~b_"
     "^^^buAv`gcAseB_eicCkh{`Bg^ha~^Arfk_g_C^uygc_c_cfd^d^AwaCu_gcKTqitaAlaIGe_CaAadibbw^b^^^_^_^"
     "CtmM`_Aqd^}AecAn^p^aab^C~_^^Eq`c_c_c_``d^dgb_i^w^p^_^l_kA]Crb`aAh`Bq^j`^AjAiCyz`AllyaA_f{bA"
     "fb{^A`akAeDs_gcA_aA_aAceAohi^l^d^_^h^l^d^_A~Ibfsgeuc^Ae^fB^c_^^Ag^_`^_t^BaefAkp^_b~`xb^A{As"
     "aq_Am^_be^`^z_`agdfdA{}AbaifAq`z_xbwdaidBiBbArAnjAndAiegHs|^Ae^`__BdAfeAeswAayqtfBgaA_fB]g^"
     "_vdgcAp^oeAbfBy^qho^AjAyd^^^a^l^hcAvbgca^e___s^d^_^b^g___`_^c^bd_d`bD`Bu^b{BaegD{Aq_AaA]B^h"
     "gcjpAucgAqx_latElAwB}Blie_^_e^_^{^__ifgB_e_Ai_hxBaeBljBbdgGef^Ah^kgz`}_s^kBbd^_^Ag`^^_^fegc"
     "c^_^A`^_^cdgIavdn^Ad`yBo^lAmj[bC]Cf^bhEwBUoB|jADsDE}QbIA|Pvd|^gaBj^gc{_cgB_gg^d^rbpTeBtB~Bd"
     "aAtdnA{bh_kFLmeAHkAefIJxa^d^_^Hpl^z`_^kaeKsBK{Cbbj`fdg_eDZeAi_tfCkAwGegAb_EurB_CqqiqiBpfvC~"
     "Bn^B`^__^___a^i^^^d^A|^a_e^d^y^a^b^^`d^J]_Hq_Tslb^lADm|ccFfd^n_d^_^bbAy~^CgAh`k_ga_Ik|nAub^"
     "MsAeUyd^a^_^l^Ex_mAdBeaga_W`B]BeAxEua^x^_^^_^^g^a^^^^c^a^^^^^^`^_^^_^^^^^^^^^^_^^_a^d^a^a^^"
     "^g^nb`^b^nAo_G}AgaB}il_l^l^A`gEaAszjAgafd_kcDoA@}an`j`CnaBxcia^liaAsegcAce{__BgJ]ik_j`fdAi^"
     "dekafdfdDh^ArA`gABgAPXm}DJccFo_FAmkGWxCGfO}APgEEfbDKgZSRb^{ByCwG_BLH}BLWm_BLWm_"},
    {ECMA_CATEGORY, "Co Private_Use", "BDFqFTeAFMRaBLWm_BLWm"},
    {ECMA_CATEGORY, "Cs Surrogate", "BBBiBDe"},
    {ECMA_CATEGORY, "L Letter",
     "A|wcwAj^g^a^bt^|^Mmaikbd^^^Cxb^__a^^c^^`^^^q^Bl^D`eD{^Aa_^cAdB`xaaAhAfA^_^B|^^l_d_g`_^m^^{z"
     "Brh^u~f_a^bsa^f^`^tvdhbu^cnAeAuAq`^o^dglmae___s^d^^`a`^m^j_^`k_g^eca__s^d^_^_^_|a^^p`mf^`^s"
     "^d^_^b`^o^l_t^he___s^d^_^b`^{_^`l^n^^c``^a`_^^^_`_```is^Aoe^`^t^m`^w`_^__{^ae^`^t^g^b`^|_^_"
     "l_nf^`^Ad_^m^b`e`ucbo`u^f^^_dAuAk^_idAu_^^^b^u^^^g^_f^_b^^ra}^Aze^A_xbCjAfq^mcaa`^`_d`aji^n"
     "Aa^^b^_Af^Ix^a_d^^^a_Ad^a_~^a_d^^^a_l^At^a_A~A`mmBo_c`Re_n^wbBdcedojpkokj^`lAoA^^a^A~Brdb_A"
     "]^^bB_g|Al{_bhAgawAqtfApBk^BvAjneAq{j_gAgwA_Ad`gA__fdAf_`Ada^c^_`^bEsA{Hc_c_Aa_c_e^^^^^^^|_"
     "Ap^d^^``^d`a_cajb`^dCk^j^mjB~^a^_g^^`bc^^^^^^a^h_abba^Ao_BV|Fvca`_iAa^^b^_Asd^mtfd^d^d^d^d^"
     "d^d^dBi^Mx_Aebb_aBoc`^Bs^abAf^Bwn}AkmO_FY{A{WGtA~Ai_G|`mg_qAjm|_B_Alf_C^_A{b_^^^bum^`^a^tzA"
     "okAmAyc`^^_hygtvzdAjy^mb^ggb^Adt`^eqt`^`Am^^`__b_^^^u`_hd`ic_c_cfd^d^Af^kcCjzKTqitaAlHXqJw_"
     "CaAadibb^^g^j^b^^^_^_^Cc~JtoA{_AqAciCkb^C~A_wcwhBr`c_c_c_`A^i^w^p^_^l_kA]CrKlz`AlAj}jq^ecAa"
     "g{_A_aeAkDsoA_aA_aAceAoih^l^d^_^h^l^d^_A~Ibfsgeuc^Ae^fB^c_^^Ag^_`^_tgtf|A|p^_gsgwB_Asc_A{^l"
     "a^`^zAez`zA^e^yxAqgsgpjoCeBbArAnjAnjA_JeAec_Bgzg^esAeoAirxtiApAt__^jAh}vwA_z^_^eA^`^iAkkar^"
     "^^A^o^vp_Azd^^^a^l^gdAjAae___s^d^_^b`^o^ibDsApoaq`{Akq_^^EkAjAdaA_Akq^AvAfj^B`xA`dElAgCkA{|"
     "e_^_e^_^ul^^^Bwe_Abm^^^y^gAcd^r^hAip^oBbGvf^A`n^Al{Cgd^_^Aar^vc^_^}k^Irpl^^j^A]Cs^Bh[aFwEwB"
     "UoBzlAConcDFjQbIA|Pvd|nBhn{oAkma|rbpTeA{CwBdb^A}jA{_^^yFLmeAHkAefIJxa^d^_^Hpl^z`_^kaeKsBK{C"
     "bbj`fdgFHcBn^B`^__^___a^i^^^d^A|^a_e^d^y^a^b^^`d^J]_v^v^|^v^|^v^|^v^|^v^eAZe|ccGtAyDgAhgdm^"
     "Il{oAgNeyVed^a^_^l^ExAvB]d^AGka^x^_^^_^^g^a^^^^c^a^^^^^^`^_^^_^^^^^^^^^^_^^_a^d^a^a^^^g^nb`"
     "^b^nDR]APXm}DJccFo_FAmkGWxCGfO}APgEEfbDKg"},
    {ECMA_CATEGORY, "LC Cased_Letter",
     "A|wcwAu^gt^|^Ev^aaFa^xEsa__``^^c^^`^^^q^Bl^D`eD{^AafAdB[nAa^^b^_Af_`SwBo_cBH_fdAf_`A{AgAzj^"
     "A]B~Hc_c_Aa_c_e^^^^^^^|_Ap^d^^``^d`a_cajb`^dGt^a^_g^^`bc^^^^^^a^ca^_abba^Ao_BV|Cs_C^ca`_iAa"
     "^^b^ADOqAioyC}Bg^t`a^Avb_^^^bx_`^XbAfbfdBiUHudibABjwcwAF~BiByA_aA_Ckh^l^d^_^h^l^d^_AV|AnjAn"
     "CC|A{VZyA{[HeBn^B`^__^___a^i^^^d^A|^a_e^d^y^a^b^^`d^J]_v^v^|^v^|^v^|^v^|^v^eAZeg^qccBR^B]"},
    {ECMA_CATEGORY, "Ll Lowercase_Letter",
     "BzwAu^Adu^e^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^^^^^^^^^^^_^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^`_^^^_^`_a^_^``_^_^^^^^_^^_^^_^`^^^___`c^_^_^^^^"
     "^^^^^^^^^^^^_^^^^^^^^^^^^^^^^^__^^^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^d_^__^^a^^^^^^^^B^^xEt^^^`^``o^xA^^_``^^^^^^^^^^^^^^^^^^^^^^^b^^_^__AnAk^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^f^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^^^^^^^^_^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "AkAdC@|Af_`VicBH_fCnAgAzj^A]C]^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^f^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^fecgeeeecgeeeek_eeeeeeb^_c^``^_ea__eeg`^_H_^`_`^x^a^a^__eaa^Ap^BXhAk^^`_^^^^^^a^^_^cb^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^_d^^^a^iAa^^b^ADOr^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^p^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^C~^^^^^^^^^^^^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^e^^^^_^^^"
     "^^^^^^a^^^_^^`^^^^^^^^^^^^^^^^^^^^b^b^^^^^^^^^^^^^^^a^^^c^^^^^^^^^y^`^XbAfbfdBiUHudibAChwAH"
     "bAcD]A_Dph^l^d^_AXxAnCDz}V[w}[I]wwd^owwwa^^^d^hwwwwwwwwwwwwwwwwwyyv^cwv^cwv^cwv^cwv^c^^AZeg"
     "^qccBS^A]"},
    {ECMA_CATEGORY, "Lm Modifier_Letter",
     "Teoaikbd^^^C|^b^N_^Fw^Dy_G|_a^|^f^`^Du^D|^AHi^Cv^Pr^AWq^Cb^Q~^MscEaAzj^A]A`Tf^j^mjCEj_G`^Er"
     "^Mx^Afbb^Bz_Bv`AAXk^AHwcG}^Ci^y_CpfBi^t^C```_Mx^s^D^^Cc^r_C^af^VPs^Ah_BCgc^Ae^fZUhaADljA{_^"
     "^QFea^d^_LZzAyE|d[t^AD|^"},
    {ECMA_CATEGORY, "Lo Other_Letter",
     "E]^l^Go^aaFa^XhxaaAh}^gA^_^B|^^u_g`_^m^^{zBrh^u~rsAevdhbu^cnAdAvAq`^o^dgmlae___s^d^^`a`^m^j"
     "_^`k_g^eca__s^d^_^_^_|a^^p`mf^`^s^d^_^b`^o^l_t^he___s^d^_^b`^{_^`l^n^^c``^a`_^^^_`_```is^Ao"
     "e^`^t^m`^w`_^__{^ae^`^t^g^b`^|_^_l_nf^`^Ad_^m^b`e`ucbo`u^f^^_dAuAk^_icAv_^^^b^u^^^g^_f^_bta"
     "}^Aze^A_xbCjAfq^mcaa`^`_d`aji^ChIt^a_d^^^a_Ad^a_~^a_d^^^a_l^At^a_A~A`mChRe_n^wbBdcedojpkokj"
     "^`lAoAc^A~A^^Apdb_A]^^bB_g|Al{_bhAgawAqtfApEcAjneAq{j_gAgwA_Ad`g{Cha^c^_`^ACyaCF`Asutfd^d^d"
     "^d^d^d^d^dPd^Ap^aBoe^^Bsa^bAf^Bwn}AkmO_FY{A{VB^^AErA~AceG{amg_A}^AlB_D~^C^^`d^`^a^tzAokAmAy"
     "c`^^_hygtvzdAjAhb_fgb^Adt`^eqm^c`^`Am^^`__b_^^^u_`hd^kc_c_cfd^dDfA^zKTqitaAlHXqJw_CaA~^^g^j"
     "^b^^^_^_^Cc~JtoA{_AqAciCkb^C~C`g^Ah_|`c_c_c_`A^i^w^p^_^l_kA]CrKlz`AlAj}jq^ecAag{_A_aeCwBgB{"
     "AceAoDqIbfsgeDmc_^^Ag^_`^_tgtf|A|p^_gsgwB_Asc_A{^la^`^zAez`zA^e^yxAqgsgpjoCeBbEjA_JeAec_Bgz"
     "g^esAeoAirxtiApAt__^jAh}vwA_z^_^eA^`^iAkkar^^^A^o^vp_Azd^^^a^l^gdAjAae___s^d^_^b`^o^ibDsApo"
     "aq`{Akq_^^EkAjAdaA_Akq^AvAfj^B`xA`dElAgFde_^_e^_^ul^^^Bwe_Abm^^^y^gAcd^r^hAip^oBbGvf^A`n^Al"
     "{Cgd^_^Aar^vc^_^}k^Irpl^^j^A]Cs^Bh[aFwEwBUoBzlAConcDFjQbIA|Pvd|nBhn{oAkAnrbpY{Bdb^EbFLmeAHk"
     "AefIKfHpl^z`_^kaeKsBK{Cbbj`fdgIGg^NvAh~^Il{oAgNexVfd^a^_^l^ExAKja^x^_^^_^^g^a^^^^c^a^^^^^^`"
     "^_^^_^^^^^^^^^^_^^_a^d^a^a^^^g^nb`^b^nDR]APXm}DJccFo_FAmkGWxCGfO}APgEEfbDKg"},
    {ECMA_CATEGORY, "Lt Titlecase_Letter", "Mh^_^_^Aa^GZveeeeei^l^Aj^"},
    {ECMA_CATEGORY, "Lu Uppercase_Letter",
     "A|wB~t^d~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^^^^^^^^^^^_^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^`_^^^_^`_a^_^``_^_^^^^^_^^_^^_^`^^^_`^d^_^_^_^^^^^"
     "^^^^^^^^^^_^^^^^^^^^^^^^^^^^_^_^^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^d_^__^^a^^^^^^^^Hn^^^`^e^c^^`^^^_^n^fA^^_``^^^^^^^^^^^^^^^^^^^^^^^b^_^^__AnAk^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^f^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^^^^^^^^_^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^_AaC@~Aa^^b^UeBoBHwAf_`Ik^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^f^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^feecgeeeech^^^^^^^eeBaaiaiaibhaGu^a^``_`_^`bc^^^^^^a_ag_b^Ax^BV}AkAk^^`_^^^^^^a^^_^e`^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^e^^^a^ADQh^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^p^^^^^^^^^^^^^^^^^^^^^^^^^^^C~^^^^"
     "^^^^^^^^^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^g^^^^_^^^^^^^^a^^^_^"
     "^^`^^^^^^^^^^^^^^^^^^^^b^b^^^^^^^^^^^^^^^a^^c^b^^^y^WLhwAG|AcD]A_Dqh^l^d^_AX_AnCEx}V[w}[Icw"
     "wwwww^^__^___a^ewww_^a_e^dx_^a^b^^`dxwwwwwwwwwww{v~v~v~v~v~^DQpA]"},
    {ECMA_CATEGORY, "M Mark Combining_Mark",
     "VqCgH`dGvAh^^^_^_^^BahAkrm^B~d_c__^aA^^{xBthAuff^ua^f^`^bAf`AweAeu^~Aq`^o^dg_z`As^^d___`f^g"
     "_w^_`As^^ba__``^{_`^h`As^^e^`^`q_sc^`As^^d___`d`g_{^Avb``^af^AcbAr^^d^`^ad_h_z`As^^d^`^ad_h"
     "_l^iaAr_^d^`^af^g_z`B_^ac^^^eo_Ax^_dieB{^_fhdBb_x^^^^^a_Alq^_bh^A_f^B}qtaa`^`_d`aji^^gaTt`["
     "yay`z_{_A{}f^Ah`^^Cl_A]^CmiaiFlbAtg^z_^Ak|AlbAjnAafi`{jAskAkqDm`^ra^c^_`EyA{Uc~CFg`Db^By}Pg"
     "cC`_ACSca^g}_Bi_H]^`^a^tba^Bl_Amowoj^AaevjAgaAjkA_^A~ki^e_Ah`Am^^`__b_^^Adbb_F}e^_UHe^Utmmm"
     "A@r^Fs^DjbAUa`^_baAc`a^Dz_PzaKj_Bi`B_hAlaCq`AplAd^__gaAhhd^Ax`A_km_Ag^i`Akkea^_Buic^_^Drira"
     "Ar_^d___`f^g__d`bEsot^BjqF|d_fx_BknCajB~lGolGdc^__a^^^_Dbd_d`^ygAcd^ae^fhAimK|e^eBks^kCqc`^"
     "^_^d^^A}b^_^bJdaf_^^Akd`bER^^clNSabAvdABy^^ArdaBj^h_TQf_DZjAi_tO}b`cee_d{aDi`BBdAraAme^k^sb"
     "^lAL]d^n_d^_^bB}^DudK^^AxaN}aAAcdCddAATLzG_"},
    {ECMA_CATEGORY, "Mc Spacing_Mark",
     "BKz^Ar^_`ea^_Am_Au`c___g^Af^Au`A}^Au`e^^_Ap_Au^^^c___g^C]_^_``^`g^Ad`AxaAx_Au^^b__^_f_y^k_A"
     "u`b`^`g^Ae_Bd`ceo_Iu_Az^E^_a^c^__v_g`_dr__c_^g`ATu^{^Cx^de^_Jca_`a_^cFq_Au^^^f^^_ecDf^Ak^b^"
     "^b^_Ax^{^a__^Aw^_`^^`_Akee_E^^r^EDs_ADGb__^Bq_AmmDc_Aj^Ak_a__`Ce___u^Ah^^^Cd^__b^F~_^_^_^^Z"
     "Yn^^^Cv^Ah`a_Cj^u_Av^Ak`f_j^Bv``_^^E]`|_Au_^a___`f^g_Fb`e_`^Ca`c^^a_^F~`ca_^Ch`e_^^Cd^^_c^C"
     "`_a^Gt`f^Gfc^_a^_^^^Dc`eaa^Bm^z_Ay^K~^k^Ca^d^_^Ffba_^^Jg_i^Ak_e_^^UNxArC__ZEv_cc"},
    {ECMA_CATEGORY, "Me Enclosing_Mark", "AFa_E[c^AR_a^`AGYn`"},
    {ECMA_CATEGORY, "Mn Nonspacing_Mark",
     "VqCgH`bGxAh^^^_^_^^BahAkrm^B~d_c__^aA^^{xBthAuff^ua^f^`^bAf`AweAeu^}Ar^^^aea^`dg_z^Au^aae^q"
     "_w^__At^a_a__``^{_`^h_At^ab^_a^q_sc^^Au^_^^ae^d_h_{^Ax^i^Am^`^Ar^^`b`^ad_h_z^Au^_^c^b_q_y_A"
     "t_aae^q_z^Ba^d`^^Bs^_dieB{^_fhdBb_x^^^^^Ark^b^_bh^A_f^C]a^c^___v_a`maj^__c^l^Tt`[y`z_{_{_A{"
     "_^de^_hf^Ah`^^Cl_A]^Cm`a_f^c`Fl__^Au^^d^^^^_ecg_^Akk^mAlaAk^^b^^b^Acfi_}a__^`As^^_`^^`Aue__"
     "Dm`^j^da^c^`_EyA{Ucja^`iCFg`Db^By}PgaCb_ACSc^ag}_Bi_H]^`^a^v_b^Dl_woj^AaevhAi`Ak^_a__Ab^A~c"
     "____i^e^Aj^An^^`__b_^^Ae_e^G]^_^a^UHe^UtmmmA@r^Fs^DjbAUa`^_baAc`a^Dz_PzaKj_Bi`B_hAlaCr^AqlA"
     "d^__g`Ala__d^Ax`A_b^eAy^i_Aofga_^Bx`_^^_c^_^Dr^`er_At_`^A`d`bEve_`^^t^Bmc^^a_^_G]ac_^_x_Bne"
     "_^^_Ca^^^_c^^B~`_a^bGrf^_Go_^^a^Dea__a^}gAcc_ae^fc_`Aij^_K}d^c^^Bks_d^_^_Cqc`^^_^d^^Ba_`^^^"
     "Jd_h_Aobb^^^ER^^clNSabAvdABy^AzaBj^TQs_DZjAi_tP]`ne_d{aDi`BBdAraAme^k^sb^lAL]d^n_d^_^bB}^Du"
     "dK^^AxaN}aAAcdCddAATLzG_"},
    {ECMA_CATEGORY, "N Number",
     "AkgCo_b^_`ANjgC}gEygLagCmgacCcgCmgCmg_cCejCjgedC^gC_ddpCdgBygCmgB_qG{gB_gUbqY|`G^gcgsgHygCw"
     "hDzgcgEigBogC}gcgABw^`ccgEyAn_bUiAwBgsRo{ALv^Vz^vfk`J`aD_g{e^l}gAblAC@ugEogIkcDogAagEygsgBo"
     "gK}gVIqgNnAhiAtn_J^xA_az^e^C}bE}g[uevdAbfBdbscDu__m_AiA{fAo_{`BdbC_eueAddIucAkgHs|DsgAeaCgd"
     "C}{CwgAwgDegdqGjgJ_gCmgK]gC]gC]iLipBvgVgzFtgB_gLkgC]rACjCfRVrgBogC}g^dWmtZZbqiqCcvADrAmBMsg"
     "LkgNwgA@rfCwgWfAv^`^aBeAh^lA@gjBY~g"},
    {ECMA_CATEGORY, "Nd Decimal_Number digit",
     "AkgARggC}gEygLagCmgCmgCmgCmgCmgCmgCmgCmgCmgBygCmgB_gHcgB_gAZwgAagHygCwgD{gcgEigBogC}gcgAIAi"
     "gS}gAagEygsgBogK}gVIqgAMqgBHcgW{gCwgAwgDegHcgJ_gCmgK]gC]gC]gLkgC]gVggGegB_gLkgTD{gBogC}gAAD"
     "qAmBMsgLkgNwgADsgD[}g"},
    {ECMA_CATEGORY, "Nl Letter_Number", "FDs`BVpA^_aCYa^vfk`ACYngXH]ApMo^e^C}bHRcCf"},
    {ECMA_CATEGORY, "No Other_Number",
     "Ee_b^_`BMhcK_cCo`C|dFjdnfLvgACtqAEngNa^AUp^`ccgEymAd^UiAwBgsRo{ALv^AFmaD_g{e^l}gAblACPecWXv"
     "AhA|an_J^xA_aAKcevdAbfBdbscDu__m_AiA{fAo_{`BdbC_eueAddIucJi|DsgAeaCgdC}qKbqAKt_LsfYrpY^rTHs"
     "dWmtZZbqiqCcvETkf[hAv^`^aBeAh^lA@gj"},
    {ECMA_CATEGORY, "P Punctuation punct",
     "~`^c^ag_`_w`^^x^^^A^^b^`^g_`^`^Ts^e^MucAd_An^^^_^_^Ag_q_^_j^^`BcaC]^AfkFz`Aql|^Gt_g^Da^Co^C"
     "p^Km^i^Jx^Bs^g_D}l^^A`aB`^Bcba_CfcE^^R]fDl^Rf^Ag_Bg`B`_Dr`^`A`hId_Fi_Cwd^cE_dy_CtaAvbAy_A{e"
     "h^Xiueq^j^i{_k_Rraz_AC|kBh_|gKzsAza}_Vla^_Cg^DdAj^}_iLh`ag_im^i^B{^Bs^ACEm_G|`B|^g^CjcKcaBo"
     "_Ac`^^Al_Aj^Bzjm_CsaCu_m_Gh^UXg_FagsA^^k^^a^^_Dj`^c^ag_`_w`^^x^^^^dL_`Ss^Ak^Lc^Uz^Ez^|^H]fA"
     "a^CgdA}dBraW_^D|bAgaEpdCd_^aCuaAk_Bhaa^j^^`BqcCb^Lfbg_^^C_^GitC``yjBe^Cy`Gk^Gw`Dp^BueBl`^bB"
     "vgIbbAe_R~_BcjEb^AEkbCBm_OTh_C|^A|be^Y]aIr^TQw^HAbbC[q_"},
    {ECMA_CATEGORY, "Pc Connector_Punctuation", "Bx^HO~_p^BCRo_u`G^^"},
    {ECMA_CATEGORY, "Pd Dash_Punctuation",
     "Ah^ALi^An^CWh^ABf^BDncCUl^_^|_a^y^Ma^p^Cf^A[Gw_A`^g^D~^DEr^"},
    {ECMA_CATEGORY, "Pe Close_Punctuation",
     "Ad^An^|^CZ~^^^A[m^BPv^Ar^l^Rs^^^{^AC}^^^^^^^^^^^^^Bi^}^^^^^^^^^K{^^^^^^^^^^^^^^^^^^^^^A{^^^"
     "~^ACd^^^^^^^Ag^^^^^^^Lq^^^^^^^^^`^^^^^^^__A[Dk^Fj^z^^^^^^^^^^^^^^^`^n^^^^^E]^An^|^_^_^"},
    {ECMA_CATEGORY, "Pf Final_Punctuation", "En^HLb^`^y^CSw^^^a^_^l^`^"},
    {ECMA_CATEGORY, "Pi Initial_Punctuation", "E^^HLq^___^v^CSw^^^a^_^l^`^"},
    {ECMA_CATEGORY, "Po Other_Punctuation",
     "~`^`_^^^^_g_`_x^B]^b^k_d^Ts^e^MucAd^Aq^_^_^Ag_q_^_j^^`BcaC]^AfkFz`Aql|^Gt_g^Da^Co^Cp^Km^i^J"
     "x^Bs^g_D}l^^Cg^Bcba_CfcE^^R]fVv^Cs`B`_Dr`^`A`c^aId_Fi_Cwd^cE_dy_CtaAvbAy_A{eh^Xo_eeef_a_``h"
     "^^^gCJ{a^_Cg^Dd_a`_^_f^_^^__gb^g_a^^^j_`Lq`At^Ep^ACEm_G|`B|^g^CjcKcaBo_Ac`^^Al_Aj^Bzjm_CsaC"
     "u_m_Gh^VBmd_^s^q__a``^ad`c^^_Dj`^`_^^^^_g_`_x^A_^__L_`Ss^Ak^Lc^Uz^Ez^|^H]fAa^CgdA}dBraA@]bA"
     "gaEpdCd_^aCuaAk_Bhaa^j^^`BqcCb^Lfbg_^^C_^GitC``yjBe^Cy`Gk^Gw`Dp^BueBl`^bBvgIbbAe_R~_BcjEb^A"
     "EkbCBm_OTh_C|^A|be^Y]aIr^TQw^HAbbC[q_"},
    {ECMA_CATEGORY, "Ps Open_Punctuation",
     "Ac^Am^|^C[]^^^A[m^BOm^`^Aa^Ar^l^Rs^^^{^AC}^^^^^^^^^^^^^Bi^}^^^^^^^^^K{^^^^^^^^^^^^^^^^^^^^^"
     "A{^^^~^ACd^^^^^^^v^o^^^^^^^Lq^^^^^^^^^`^^^^^^^_^A[Dn^Fh^z^^^^^^^^^^^^^^^`^n^^^^^E]^Am^|^`^_"
     "^"},
    {ECMA_CATEGORY, "S Symbol",
     "A_^c^m`|^^^x^^^A^b^__^^a_^`^{^|^Mmaikbd^^^nCl^k_Cg^D`^Gy`Cm`_^__F_^g^p_Gf^d_D]^Jr_c_Gd^Cu^C"
     "yeC{^F`^Ad^Ex^Et`l^^`_cq^^^^^C|e^c^_baEx_VagUf^Jv^Jm^DrA]JjgffAD]^^`h`j`j`j_B^^j^Ab`j`p~Az_"
     "^a^_g^^`bc^^^^^^a^h_abba^^Au_aK_az_GkvhBjBgsRaAgAl_|gKzsAza}_K]_}^C`FvcJn_Aiw^BriFgwie^j_i^"
     "r_c_Bt_Gb_ag}A_y|h{e^l}gAblIkFY{A{WGwArPvtf_C^_DragaPz`Fr^k_ULj^D]nKdmCv^AgaB{^^`_^Do^c^m`|"
     "^^^x^^^Cxd^dj_IdfAtn_`^j`^AjAhATw_Qj^CIy^BHrzTF{ab^UXk^E@xCkAwGegAb_Awb`s_d{aAxrA}`^EmBpYu^"
     "v^|^v^|^v^|^v^|^v^AwO_AraAme^k^_AW_^Lt^BPy^`^Ct^Md_G}AgaB}il_l^l^A`tDvAszjAgafd_kcDoA@}an`j"
     "`CnaBxcia^liaAsegcAce{__BgJ]ik_j`fdAi^dekafdfdDh^Ar"},
    {ECMA_CATEGORY, "Sc Currency_Symbol",
     "A_^CtaAH~^Cr^Ns_Ns_d^Gd^Gv^Q`^BPh^BJ]~AHK~^WAv^Cc^Do^Fl_`_HPsaAXMa^BP}^"},
    {ECMA_CATEGORY, "Sk Modifier_Symbol",
     "Bw^^^B`^c^a^`^Ohaikbd^^^nCl^k_AIu^FFu^^`h`j`j`j_DM__ACWjtf_C^_A@u^k_UPknZd^^^Dw^BIQzb"},
    {ECMA_CATEGORY, "Sm Math_Symbol",
     "Af^m`Ax^^^Ah^a^A`^|^Vo^On`GAn^j^Ab`j`D`^Abbc^B]bb_a^_^_^d^|__^^^|G{}_Bs^{vAccMx^f^AqeCf^I{b"
     "_|gmGoCzsAza}_GqAkr_cA[Y_^Xe^^`Dy^m`Ax^^^Cz^caBAUo^v^|^v^|^v^|^v^|^v^FFm_"},
    {ECMA_CATEGORY, "So Other_Symbol",
     "D{^_^a^^^A@v^Gy_Cv_F_^g^p_Gf^Ob^J~^Cyc^^C{^F`^Ad^Kn`l^^`_cq^^^^^C|e^c^_baEx_VagUf^Ue^DrA]Jj"
     "gffAMn_^a^_g^^_cc^^^^^^a^h_k^^_^^Au_fb_a^_^_^d^|__^^^|G{eaq_d_Bj^{vAccB^vhBjBgsEj^f^AqeCf^G"
     "gAgAgA{GoO_Akr_cAb_}^C`FvcJn_Aiw^BriFgwie^j_i^r_c_I{_ag}A_y|h{e^l}gAblIkFY{A{WGwArYlag_^^Pz"
     "`VGemCv^Ah`Ne^`^a_j_IdfAtn_`^j`^AjAhATw_Qj^CIy^BHreanTF{ab^UXk^E@xCkAwGegAb_Awb`s_d{aAxrA}`"
     "^EmBpAG`O_AraAme^k^_AW_^CAo^Cx^UdAgaB}il_l^l^A`tDvAszjAgafd_kcDoGjbUkan`j`CnaBxcia^liaAsegc"
     "Ace{__BgJ]ik_j`fdAi^dekafdfdDh^Ar"},
    {ECMA_CATEGORY, "Z Separator", "}^Cv^EXt^BOnhz_b^Aj^DEs^"},
    {ECMA_CATEGORY, "Zl Line_Separator", "HRa^"},
    {ECMA_CATEGORY, "Zp Paragraph_Separator", "HRb^"},
    {ECMA_CATEGORY, "Zs Space_Separator", "}^Cv^EXt^BOnhA_^Aj^DEs^"},
    {ECMA_SCRIPT, "Adlm Adlam", "DSM{Beaga_"},
    {ECMA_SCRIPT, "Aghb Caucasian_Albanian", "BNFqAoh^"},
    {ECMA_SCRIPT, "Ahom", "BS@ux_lat"},
    {ECMA_SCRIPT, "Arab Arabic",
     "AQcb^c^k^`^}^ghw^Cc^A]BiAkG_|^_cBc^zBIDmCjmJt_Bi_Aqd^}mCgb^C~DCz|Cu`BC[_a^x^_^^_^^g^a^^^^c^"
     "a^^^^^^`^_^^_^^^^^^^^^^_^^_a^d^a^a^^^g^nb`^b^nAo_"},
    {ECMA_SCRIPT, "Armi Imperial_Aramaic", "BOAss^f"},
    {ECMA_SCRIPT, "Armn Armenian", "AK`Aa_Am_`BJ@pb"},
    {ECMA_SCRIPT, "Avst Avestan", "BOViAq`d"},
    {ECMA_SCRIPT, "Bali Balinese", "GGgBf`Aj"},
    {ECMA_SCRIPT, "Bamu Bamum", "APVqBqAWYkPv"},
    {ECMA_SCRIPT, "Bass Bassa_Vah", "CMOw{_c"},
    {ECMA_SCRIPT, "Batk Batak", "GL}Aoea"},
    {ECMA_SCRIPT, "Beng Bengali", "BOoa^e___s^d^^`a_f___ae^a_^b_v"},
    {ECMA_SCRIPT, "Bhks Bhaiksuki", "BTJif^Ah^kgz"},
    {ECMA_SCRIPT, "Bopo Bopomofo", "U}_LK`AfCg}"},
    {ECMA_SCRIPT, "Brah Brahmi", "BQD]BgaA_f^"},
    {ECMA_SCRIPT, "Brai Braille", "JUcGo"},
    {ECMA_SCRIPT, "Bugi Buginese", "F[wy__"},
    {ECMA_SCRIPT, "Buhd Buhid", "FG_q"},
    {ECMA_SCRIPT, "Cakm Chakma", "BQKoAp^o"},
    {ECMA_SCRIPT, "Cans Canadian_Aboriginal", "EJqRyPmB_BMHom"},
    {ECMA_SCRIPT, "Cari Carian", "BMOgAl"},
    {ECMA_SCRIPT, "Cham", "AQT]Arfk_g_a"},
    {ECMA_SCRIPT, "Cher Cherokee", "EGwBo_cALTgBi"},
    {ECMA_SCRIPT, "Chrs Chorasmian", "BQAsy"},
    {ECMA_SCRIPT, "Copt Coptic Qaac", "AAekJYkCkbd"},
    {ECMA_SCRIPT, "Cpmn Cypro_Minoan", "BYQsB|"},
    {ECMA_SCRIPT, "Cprt Cypriot", "BN[wc_^^Ag^_`^_^"},
    {ECMA_SCRIPT, "Cyrl Cyrillic", "ABaC|_D~FGofDw^Be^DKn}ADIkByWOe_BDUsAy~^"},
    {ECMA_SCRIPT, "Deva Devanagari", "BKwBjal_wANX]}ABRig"},
    {ECMA_SCRIPT, "Diak Dives_Akuru", "BSOwd_^_e^_^{^__ifg"},
    {ECMA_SCRIPT, "Dogr Dogra", "BSHeAw"},
    {ECMA_SCRIPT, "Dsrt Deseret", "BMYsBi"},
    {ECMA_SCRIPT, "Dupl Duployan", "DGK_Cbbj`fdg_a"},
    {ECMA_SCRIPT, "Egyp Egyptian_Hieroglyphs", "BYT}ADs"},
    {ECMA_SCRIPT, "Elba Elbasan", "BNEcAc"},
    {ECMA_SCRIPT, "Elym Elymaic", "BQC_t"},
    {ECMA_SCRIPT, "Ethi Ethiopic",
     "DWoBb^a_d^^^a_Ad^a_~^a_d^^^a_l^At^a_A~_}`wF[]tfd^d^d^d^d^d^d^dAERcc_c_cfd^dCADnd^a^_^l"},
    {ECMA_SCRIPT, "Geor Georgian", "DMcAa^^b^_Af^aCC_Af_`DJiAa^^b^"},
    {ECMA_SCRIPT, "Glag Glagolitic", "KWgByDED]d^n_d^_^b"},
    {ECMA_SCRIPT, "Gong Gunjala_Gondi", "BTTuc^_^A`^_^cdg"},
    {ECMA_SCRIPT, "Gonm Masaram_Gondi", "BTQ{d^_^Ag`^^_^feg"},
    {ECMA_SCRIPT, "Goth Gothic", "BMSox"},
    {ECMA_SCRIPT, "Gran Grantha", "BQZqa^e___s^d^_^b_f___`_^c^bd_d`b"},
    {ECMA_SCRIPT, "Grek Greek",
     "Y{a^`_a^^a^^^^`^^^q^AzkmFUibAmbabBm^Iks_c_Aa_c_e^^^^^^^|_Ap^l^k_c^p_`^fHt^AID{^WBkBhn^B@@|B"
     "_"},
    {ECMA_SCRIPT, "Gujr Gujarati", "BW``^f^`^s^d^_^b_g^`^`_^la_idd"},
    {ECMA_SCRIPT, "Guru Gurmukhi", "BSh`^ca__s^d^_^_^__^^ba__``^da^^dn"},
    {ECMA_SCRIPT, "Hang Hangul", "DP]GoHCe_GpBwCh|A||AC[`zR|KTqitaAlJRm|`c_c_c_`"},
    {ECMA_SCRIPT, "Hani Han",
     "LNaw^BriFgAj^^^vfkaA@iFY{A{VAkWZaJw_CaACMc_i_AJTsAPXm}DJccFo_FAmkGWxCGfO}APgEEfbDKg"},
    {ECMA_SCRIPT, "Hano Hanunoo", "FFar"},
    {ECMA_SCRIPT, "Hatr Hatran", "BOFip^_bb"},
    {ECMA_SCRIPT, "Hebr Hebrew", "AM|ArexacBIY{w^b^^^_^_^g"},
    {ECMA_SCRIPT, "Hira Hiragana", "L[hBoc`CSBrHlo^z`QJ~^"},
    {ECMA_SCRIPT, "Hluw Anatolian_Hieroglyphs", "CCCoQb"},
    {ECMA_SCRIPT, "Hmng Pahawh_Hmong", "CMQcB_gg^d^rbp"},
    {ECMA_SCRIPT, "Hmnp Nyiakeng_Puachue_Hmong", "DQIsAh`k_ga_"},
    {ECMA_SCRIPT, "Hrkt Katakana_Or_Hiragana", ""},
    {ECMA_SCRIPT, "Hung Old_Hungarian", "BPEsAnjAndc"},
    {ECMA_SCRIPT, "Ital Old_Italic", "BMRaA_f`"},
    {ECMA_SCRIPT, "Java Javanese", "AQPeBg_ga_"},
    {ECMA_SCRIPT, "Kali Kayah_Li", "AQLmAi^^"},
    {ECMA_SCRIPT, "Kana Katakana", "MBbBs_`G_mFaAj^BqAZXkg^AhASKqa^d^_^^Hl`Am^ka"},
    {ECMA_SCRIPT, "Kawi", "BUD}n^Ad`y"},
    {ECMA_SCRIPT, "Khar Kharoshthi", "BONya^_be^`^z_`agdf"},
    {ECMA_SCRIPT, "Khmr Khmer", "FH}Bw_gcgNg}"},
    {ECMA_SCRIPT, "Khoj Khojki", "BQS_o^Aj"},
    {ECMA_SCRIPT, "Kits Khitan_Small_Script", "CNZ]^GH`My"},
    {ECMA_SCRIPT, "Knda Kannada", "CJaj^`^t^g^b_f^`^ad_c_^a_g^`"},
    {ECMA_SCRIPT, "Kthi Kaithi", "BQGwA~g^"},
    {ECMA_SCRIPT, "Lana Tai_Tham", "G@uAz^z_hcgck"},
    {ECMA_SCRIPT, "Laoo Lao", "CYd_^^^b^u^^^t_b^^^d^g_a"},
    {ECMA_SCRIPT, "Latn Latin",
     "A|wcwAj^l^bt^|^MdAbbG@pAacAlbabj^B_A|GoJz^j^mjDb_c^x^nAdBYr}AD[iC]`A{b_^^^bukX]Af^f^aUKedAB"
     "{wcwBEhc^Ae^fBAXz|cc"},
    {ECMA_SCRIPT, "Lepc Lepcha", "GNyAs`l``"},
    {ECMA_SCRIPT, "Limb Limbu", "FTe|^iaia^`i"},
    {ECMA_SCRIPT, "Lina Linear_A", "BNLuIbfsge"},
    {ECMA_SCRIPT, "Linb Linear_B", "BLWoi^w^p^_^l_kA]Cr"},
    {ECMA_SCRIPT, "Lisu", "APH}AkAD[w^"},
    {ECMA_SCRIPT, "Lyci Lycian", "BMNiz"},
    {ECMA_SCRIPT, "Lydi Lydian", "BOHewb^"},
    {ECMA_SCRIPT, "Mahj Mahajani", "BQM{Ab"},
    {ECMA_SCRIPT, "Maka Makasar", "BUD]v"},
    {ECMA_SCRIPT, "Mand Mandaic", "BFay_^"},
    {ECMA_SCRIPT, "Mani Manichaean", "BOTmAbai"},
    {ECMA_SCRIPT, "Marc Marchen", "BTMs}_s^k"},
    {ECMA_SCRIPT, "Medf Medefaidrin", "CNMsBt"},
    {ECMA_SCRIPT, "Mend Mende_Kikakui", "DSFiEx_m"},
    {ECMA_SCRIPT, "Merc Meroitic_Cursive", "BOL]uaq_Ai"},
    {ECMA_SCRIPT, "Mero Meroitic_Hieroglyphs", "BOK_}"},
    {ECMA_SCRIPT, "Mlym Malayalam", "CM{j^`^An^`^cam_w"},
    {ECMA_SCRIPT, "Modi", "BRUcB^hg"},
    {ECMA_SCRIPT, "Mong Mongolian", "FLu__^^qcBrdAfBLFfj"},
    {ECMA_SCRIPT, "Mroo Mro", "CMKo|^ga_"},
    {ECMA_SCRIPT, "Mtei Meetei_Mayek", "AQZqtE|Ai_g"},
    {ECMA_SCRIPT, "Mult Multani", "BQVyd^^^a^l^h"},
    {ECMA_SCRIPT, "Mymr Myanmar", "DHmDuAME{|Bz}"},
    {ECMA_SCRIPT, "Nagm Nag_Mundari", "DRJiAe"},
    {ECMA_SCRIPT, "Nand Nandinagari", "BSTme_Ai_h"},
    {ECMA_SCRIPT, "Narb Old_North_Arabian", "BORq}"},
    {ECMA_SCRIPT, "Nbat Nabataean", "BOCo|ef"},
    {ECMA_SCRIPT, "Newa", "BRFaBu^b"},
    {ECMA_SCRIPT, "Nkoo Nko", "BBiAv_`"},
    {ECMA_SCRIPT, "Nshu Nushu", "CNY|^QQqKs"},
    {ECMA_SCRIPT, "Ogam Ogham", "FAkz"},
    {ECMA_SCRIPT, "Olck Ol_Chiki", "GQcAk"},
    {ECMA_SCRIPT, "Orkh Old_Turkic", "BPA{Bb"},
    {ECMA_SCRIPT, "Orya Oriya", "BZz`^e___s^d^_^b_f___`d`a_^b_o"},
    {ECMA_SCRIPT, "Osge Osage", "BNByA_aA_"},
    {ECMA_SCRIPT, "Osma Osmanya", "BNAk{_g"},
    {ECMA_SCRIPT, "Ougr Old_Uyghur", "BP[ww"},
    {ECMA_SCRIPT, "Palm Palmyrene", "BOBq}"},
    {ECMA_SCRIPT, "Pauc Pau_Cin_Hau", "BT@}At"},
    {ECMA_SCRIPT, "Perm Old_Permic", "BMTmAf"},
    {ECMA_SCRIPT, "Phag Phags_Pa", "AQFyAs"},
    {ECMA_SCRIPT, "Phli Inscriptional_Pahlavi", "BOYcpbe"},
    {ECMA_SCRIPT, "Phlp Psalter_Pahlavi", "BOZaodaid"},
    {ECMA_SCRIPT, "Phnx Phoenician", "BOGgy`^"},
    {ECMA_SCRIPT, "Plrd Miao", "CNSgBdaAtdn"},
    {ECMA_SCRIPT, "Prti Inscriptional_Parthian", "BOXes_e"},
    {ECMA_SCRIPT, "Rjng Rejang", "AQM{A_h^"},
    {ECMA_SCRIPT, "Rohg Hanifi_Rohingya", "BPIkAceg"},
    {ECMA_SCRIPT, "Runr Runic", "FBiBd`h"},
    {ECMA_SCRIPT, "Samr Samaritan", "BDeAi_l"},
    {ECMA_SCRIPT, "Sarb Old_South_Arabian", "BOQs}"},
    {ECMA_SCRIPT, "Saur Saurashtra", "AQHuB_ei"},
    {ECMA_SCRIPT, "Sgnw SignWriting", "DNY{Sclb^l"},
    {ECMA_SCRIPT, "Shaw Shavian", "BN@]Ak"},
    {ECMA_SCRIPT, "Shrd Sharada", "BQOgBy"},
    {ECMA_SCRIPT, "Sidd Siddham", "BRQkAq_Aa"},
    {ECMA_SCRIPT, "Sind Khudawadi", "BQXeAvbg"},
    {ECMA_SCRIPT, "Sinh Sinhala", "CQt`^o`u^f^^_d`^ac^^^ecg_`BMY_q"},
    {ECMA_SCRIPT, "Sogd Sogdian", "BPY{Ae"},
    {ECMA_SCRIPT, "Sogo Old_Sogdian", "BPXmAc"},
    {ECMA_SCRIPT, "Sora Sora_Sompeng", "BQJavdg"},
    {ECMA_SCRIPT, "Soyo Soyombo", "BSYsBl"},
    {ECMA_SCRIPT, "Sund Sundanese", "GK_A{Goe"},
    {ECMA_SCRIPT, "Sylo Syloti_Nagri", "AQD}Ah"},
    {ECMA_SCRIPT, "Syrc Syriac", "AXuk^Aw_`H]h"},
    {ECMA_SCRIPT, "Tagb Tagbanwa", "FH]j^`^_"},
    {ECMA_SCRIPT, "Takr Takri", "BRX}Aucg"},
    {ECMA_SCRIPT, "Tale Tai_Le", "FVq{_b"},
    {ECMA_SCRIPT, "Talu New_Tai_Lue", "FX]Agawch`_"},
    {ECMA_SCRIPT, "Taml Tamil", "CBs_^c``^a`_^^^_`_```iab``^a_^c^krBRDjAmj^"},
    {ECMA_SCRIPT, "Tang Tangut", "CNY{^|FLmeVqO_f"},
    {ECMA_SCRIPT, "Tavt Tai_Viet", "AQWwA~ub"},
    {ECMA_SCRIPT, "Telu Telugu", "CFij^`^t^m_f^`^ad_^`_^_a_gdf"},
    {ECMA_SCRIPT, "Tfng Tifinagh", "LDeAsd_k^"},
    {ECMA_SCRIPT, "Tglg Tagalog", "FEcsf^"},
    {ECMA_SCRIPT, "Thaa Thaana", "B@mAm"},
    {ECMA_SCRIPT, "Thai", "CUlAuby"},
    {ECMA_SCRIPT, "Tibt Tibetan", "D@}Ba^A_aAb^A_^l^da_"},
    {ECMA_SCRIPT, "Tirh Tirhuta", "BRI{Baeg"},
    {ECMA_SCRIPT, "Tnsa Tangsa", "CML}Bh^g"},
    {ECMA_SCRIPT, "Toto", "DQUk|"},
    {ECMA_SCRIPT, "Ugar Ugaritic", "BMU{{^^"},
    {ECMA_SCRIPT, "Vaii Vai", "APJiHy"},
    {ECMA_SCRIPT, "Vith Vithkuqi", "BNHmh^l^d^_^h^l^d^_"},
    {ECMA_SCRIPT, "Wara Warang_Citi", "BSL}Bli^"},
    {ECMA_SCRIPT, "Wcho Wancho", "DQVyAub^"},
    {ECMA_SCRIPT, "Xpeo Old_Persian", "BMVyA_ak"},
    {ECMA_SCRIPT, "Xsux Cuneiform", "BULm[aC]Cf^bhEw"},
    {ECMA_SCRIPT, "Yezi Yezidi", "BPTuAe^`__"},
    {ECMA_SCRIPT, "Yiii Yi", "AO@uAFf`Ar"},
    {ECMA_SCRIPT, "Zanb Zanabazar_Square", "BSWgBa"},
    {ECMA_SCRIPT, "Zinh Inherited Qaai",
     "VqCgHb_Mghw^UsaDRt|O``^j^da^c^`_EyA{Ok_Eu~DBraCb_A[FnmmkA@t^Fs^DKa^AVMwAi_tP]`ne_d{aAAZVsG_"},
    {ECMA_SCRIPT, "Zyyy Common",
     "]A|wcwAj^l^bt^|^MdAbbb_qCk^f^c^^^Rv^c^k^`^}^Dq^Oc^Cx_AHn^K|aHo^APt`B`_E~_^^AHb^j^da^c^`_^Vv"
     "i_Bp^h`h^ln~AzAa^`_c^x^nAd`aSnvhr[gGoRm_}^C`O_BwKyiab^^^vleaaBt_`^Bs_Dhm}A_AwA{|BjAj^BqD}FY"
     "{A{WZaA]C]`DzgGc^Du^Kr^k_V@__FagsA^^p^aDh^^}wcwhg^Ah_A{d^dgbGq`aAh`fBijAnAhFuxAUYwaE@qCkAwG"
     "egAb_Ay`ne_d{aAxFfqiqiBpfvC~Bn^B`^__^___a^i^^^d^A|^a_e^d^y^a^b^^`d^J]_Hq_AmEM|B]BeAxTwAgaB}"
     "il_l^l^A`gEaAsw^_jAgafd_kcDoA@}an`j`CnaBxcia^liaAsegcAce{__BgJ]ik_j`fdAi^dekafdfdDh^ArA`gAA"
     "ODt^{By"},
    {ECMA_SCRIPT, "Zzzz Unknown",
     "Za_cad^^^q^Kt^Aa_Am_`^ArexachG}^Aw_B~kAv_Al_l^y_^^hb|^_cF}^e___s^d^^`a_f___ae^a_^b_v_`^ca__"
     "s^d^_^_^__^^ba__``^da^^dng`^f^`^s^d^_^b_g^`^`_^la_idd^`^e___s^d^_^b_f___`d`a_^b_og_^c``^a`_"
     "^^^_`_```iab``^a_^c^krbj^`^t^m_f^`^ad_^`_^_a_gds^`^t^g^b_f^`^ad_c_^a_g^`ij^`^An^`^cam_w^`^o"
     "`u^f^^_d`^ac^^^ecg_`iAuazA`_^^^b^u^^^t_b^^^d^g_a}Ba^A_aAb^A_^l^jA`Ey^^b^_K`^a_d^^^a_Ad^a_~^"
     "a_d^^^a_l^At^a_A~_}`wcBo_c_St`Brdsfufqij^`^_iBw_gcgcwcBrdAfbB_g|^iaia^`Ae_bhAgawch`Ay_A|^z_"
     "hcgck_|AlBf`Aj^CkeAw`l`AwdAf_heAfbOu_c_Aa_c_e^^^^^^^|_Ap^l^k_c^p_`^f^B~^i_x^j`~l~lDaaSnvhrA"
     "Yg_}^JfbAh^^b^_Asd_kufd^d^d^d^d^d^d^d^CuA]w^BriFgwiaA{^Bo_C^bAf^Bw^BmiAj^ABUp`ArfJeqEkeE~b_"
     "^^^buAv`gcAseB_eicCkh{`Bg^ha~^Arfk_g_C^uygc_c_cfd^d^AwaCu_gcKTqitaAlHXqJw_CaAadibbw^b^^^_^_"
     "^CtmM`_Aqd^}AecAn^p^aab^C~_^^Eq`c_c_c_``d^dgb_i^w^p^_^l_kA]Crb`aAh`Bq^j`^AjAiCyz`AllyaA_f{b"
     "Afb{^A`akAeDs_gcA_aA_aAceAohi^l^d^_^h^l^d^_A~Ibfsgeuc^Ae^fB^c_^^Ag^_`^_t^BaefAkp^_b~`xb^A{A"
     "saq_Am^_be^`^z_`agdfdA{}AbaifAq`z_xbwdaidBiBbArAnjAndAiegHs|^Ae^`__BdAfeAeswAayqtfBgaA_fB]g"
     "^_vdgcAp^oeAbfBy^qho^AjAyd^^^a^l^hcAvbgca^e___s^d^_^b^g___`_^c^bd_d`bD`Bu^b{BaegD{Aq_AaA]B^"
     "hgcjpAucgAqx_latElAwB}Blie_^_e^_^{^__ifgB_e_Ai_hxBaeBljBbdgGef^Ah^kgz`}_s^kBbd^_^Ag`^^_^feg"
     "cc^_^A`^_^cdgIavdn^Ad`yBo^lAmj[bC]Cf^bhEwBUoB|jADsDE}QbIA|Pvd|^gaBj^gc{_cgB_gg^d^rbpTeBtB~B"
     "daAtdnA{bh_kFLmeAHkAefIJxa^d^_^Hpl^z`_^kaeKsBK{Cbbj`fdg_eDZeAi_tfCkAwGegAb_EurB_CqqiqiBpfvC"
     "~Bn^B`^__^___a^i^^^d^A|^a_e^d^y^a^b^^`d^J]_Hq_Tslb^lADm|ccFfd^n_d^_^bbAy~^CgAh`k_ga_Ik|nAub"
     "^MsAeUyd^a^_^l^Ex_mAdBeaga_W`B]BeAxEua^x^_^^_^^g^a^^^^c^a^^^^^^`^_^^_^^^^^^^^^^_^^_a^d^a^a^"
     "^^g^nb`^b^nAo_G}AgaB}il_l^l^A`gEaAszjAgafd_kcDoA@}an`j`CnaBxcia^liaAsegcAce{__BgJ]ik_j`fdAi"
     "^dekafdfdDh^ArA`gABgAPXm}DJccFo_FAmkGWxCGfO}APgEEfbDKgZSRb^{ByCwG_GJ@]"},
    {ECMA_EXTENSIONS, "Adlm Adlam", "AR`^}^DQVxBeaga_"},
    {ECMA_EXTENSIONS, "Arab Arabic",
     "AQcb^Fh^A]BiAkG_|^_cBc^zBIDmCjmM`_Aqd^}mCgb^C~AAfyCAw|Cu`BC[_a^x^_^^_^^g^a^^^^c^a^^^^^^`^_^"
     "^_^^^^^^^^^^_^^_a^d^a^a^^^g^nb`^b^nAo_"},
    {ECMA_EXTENSIONS, "Beng Bengali",
     "BNb_n_wa^e___s^d^^`a_f___ae^a_^b_vEAt^^^__^^e^e^_^a^_`AIQ|^"},
    {ECMA_EXTENSIONS, "Bopo Bopomofo", "U}_LCl`ag^jga_^c^Ev^fAfCg}AZ[|_Hgb"},
    {ECMA_EXTENSIONS, "Bugi Buginese", "F[wy__AJQz^"},
    {ECMA_EXTENSIONS, "Buhd Buhid", "FFv_fq"},
    {ECMA_EXTENSIONS, "Cakm Chakma", "BRogASogBM@{Ap^o"},
    {ECMA_EXTENSIONS, "Copt Coptic Qaac", "AAekJYkCkbdBANiy"},
    {ECMA_EXTENSIONS, "Cpmn Cypro_Minoan", "BMC__LNoB|"},
    {ECMA_EXTENSIONS, "Cprt Cypriot", "BMC_`aAh`fAVyc_^^Ag^_`^_^"},
    {ECMA_EXTENSIONS, "Cyrl Cyrillic", "ABaH}FGofDw^Be^Cv^DGv}A~^ADGkByWOe_BDUsAy~^"},
    {ECMA_EXTENSIONS, "Deva Devanagari", "BKwBl_AfEEkAb^_AAy^AHJhgD{}ABRig"},
    {ECMA_EXTENSIONS, "Dogr Dogra", "BNuiANSggABAqAw"},
    {ECMA_EXTENSIONS, "Dupl Duployan", "DGK_Cbbj`fdg_e"},
    {ECMA_EXTENSIONS, "Geor Georgian", "DMcAa^^b^_AkCC_Af_`DJiAa^^b^"},
    {ECMA_EXTENSIONS, "Glag Glagolitic", "AF]^_^JQcByNd^ADHx^C@H}d^n_d^_^b"},
    {ECMA_EXTENSIONS, "Gong Gunjala_Gondi", "BNu_BRE}c^_^A`^_^cdg"},
    {ECMA_EXTENSIONS, "Gonm Masaram_Gondi", "BNu_BRCad^_^Ag`^^_^feg"},
    {ECMA_EXTENSIONS, "Gran Grantha",
     "BNb_n_RykDN}^^_{``_AAy^BIBpa^e___s^d^_^b^g___`_^c^bd_d`bCI^_^^"},
    {ECMA_EXTENSIONS, "Grek Greek",
     "Xo^_^Aea^`_a^^a^^^^`^^^q^AzkmFUibAmbabBm`Iis_c_Aa_c_e^^^^^^^|_Ap^l^k_c^p_`^fHt^AID{^WBkBhn^"
     "B@@|B_"},
    {ECMA_EXTENSIONS, "Gujr Gujarati", "BNb_n_Hh`^f^`^s^d^_^b_g^`^`_^la_iddANGog"},
    {ECMA_EXTENSIONS, "Guru Gurmukhi", "BNb_n_Dp`^ca__s^d^_^_^__^^ba__``^da^^dnANKpg"},
    {ECMA_EXTENSIONS, "Hang Hangul",
     "DP]GoHA|`ag^jk`c^Ev^ApBwCh|A||AC[`zR|KTqitaAlJHf_HgbAu|`c_c_c_`"},
    {ECMA_EXTENSIONS, "Hani Han",
     "LNaw^BriFgAf`^j^j^j_^cfEn^Dim}A_AwAcAsAlliAn^BqvgbBy|^FY{A{VAkAXueVAcJw_CaYv_HgbABF}_i_ZTso"
     "HHk_CS]APXm}DJccFo_FAmkGWxCGfO}APgEEfbDKg"},
    {ECMA_EXTENSIONS, "Hano Hanunoo", "FFat"},
    {ECMA_EXTENSIONS, "Hira Hiragana", "LYl`ag^jmc^^a_`Bo_eBs_A[Es_Hgbg^Ah_ASL^Hlo^z`QJ~^"},
    {ECMA_EXTENSIONS, "Java Javanese", "AQPeBg^ha_"},
    {ECMA_EXTENSIONS, "Kali Kayah_Li", "AQLmAk"},
    {ECMA_EXTENSIONS, "Kana Katakana",
     "LYl`ag^jmc^^a_Bta`ByG_mFaAj^BqAZO|_HgAzASKoa^d^_^^Hl`Am^ka"},
    {ECMA_EXTENSIONS, "Khoj Khojki", "BZ_gANH]gA@Lko^Aj"},
    {ECMA_EXTENSIONS, "Knda Kannada", "BNb_n_Wij^`^t^g^b_f^`^ad_c_^a_g^`DGk^^^d^t^^^AILhc"},
    {ECMA_EXTENSIONS, "Kthi Kaithi", "BNwgANSggA@AaA~g^"},
    {ECMA_EXTENSIONS, "Latn Latin",
     "A|wcwAj^l^bt^|^MdAbbCujHb_AH__BAs^CFmAacAlbabj^B_A|GoH|^A|^j^mjBl^At_c^x^nAdBYr}ADZiewC]`A{"
     "b_^^^bukH{^O`Af^f^aUKedAB{wcwBEhc^Ae^fBAXz|cc"},
    {ECMA_EXTENSIONS, "Limb Limbu", "BNv^DEm|^iaia^`i"},
    {ECMA_EXTENSIONS, "Lina Linear_A", "BMCfAhAHaIbfsge"},
    {ECMA_EXTENSIONS, "Linb Linear_B", "BLWoi^w^p^_^l_kA]Crb`aAh`f"},
    {ECMA_EXTENSIONS, "Mahj Mahajani", "BNuiANSggA@GeAb"},
    {ECMA_EXTENSIONS, "Mand Mandaic", "AS_^O^y_^"},
    {ECMA_EXTENSIONS, "Mani Manichaean", "AS_^BNAjAbai"},
    {ECMA_EXTENSIONS, "Mlym Malayalam", "BNb_n_[aj^`^An^`^cam_wDCq^AIM``"},
    {ECMA_EXTENSIONS, "Modi", "AQFigAANoB^hg"},
    {ECMA_EXTENSIONS, "Mong Mongolian", "FLuwcBrdAfB@q^BJEsj"},
    {ECMA_EXTENSIONS, "Mult Multani", "BVggBO@ed^^^a^l^h"},
    {ECMA_EXTENSIONS, "Mymr Myanmar", "DHmDuAM@s^Ed|Bz}"},
    {ECMA_EXTENSIONS, "Nand Nandinagari", "BNu_ZigDHf^e^d^AILbcABM}e_Ai_h"},
    {ECMA_EXTENSIONS, "Nkoo Nko", "AQo^k^`^LeAv_`BIZo_"},
    {ECMA_EXTENSIONS, "Orya Oriya", "BNb_n_L``^e___s^d^_^b_f___`d`a_^b_oDR{^t^"},
    {ECMA_EXTENSIONS, "Ougr Old_Uyghur", "AS_^BNBz^AExw"},
    {ECMA_EXTENSIONS, "Perm Old_Permic", "AE~^BLNmAf"},
    {ECMA_EXTENSIONS, "Phag Phags_Pa", "FLw_^^AJU}As"},
    {ECMA_EXTENSIONS, "Phlp Psalter_Pahlavi", "AS_^BNG^odaid"},
    {ECMA_EXTENSIONS, "Rohg Hanifi_Rohingya", "AQo^k^`^}^Dh^BNM~Aceg"},
    {ECMA_EXTENSIONS, "Shrd Sharada", "BNb^EF~^^^___^BIUzBy"},
    {ECMA_EXTENSIONS, "Sind Khudawadi", "BNu_ANSqgA@QqAvbg"},
    {ECMA_EXTENSIONS, "Sinh Sinhala", "BNu_AB|`^o`u^f^^_d`^ac^^^ecg_`BMY_q"},
    {ECMA_EXTENSIONS, "Sogd Sogdian", "AS_^BOFxAe"},
    {ECMA_EXTENSIONS, "Sylo Syloti_Nagri", "BNu_CwgANNaAh"},
    {ECMA_EXTENSIONS, "Syrc Syriac", "AQo^k__^}^ghw^Ddk^Aw_`H]hEVf^^^"},
    {ECMA_EXTENSIONS, "Tagb Tagbanwa", "FFv_Adj^`^_"},
    {ECMA_EXTENSIONS, "Takr Takri", "BNu_ANSqgAARgAucg"},
    {ECMA_EXTENSIONS, "Tale Tai_Le", "DJigBK}{_b"},
    {ECMA_EXTENSIONS, "Taml Tamil",
     "BNb_n_O{_^c``^a`_^^^_`_```iab``^a_^c^krDO^^AIRy^A@Nn^^^Ar_CJdAmj^"},
    {ECMA_EXTENSIONS, "Telu Telugu", "BNb_n_Sqj^`^t^m_f^`^ad_^`_^_a_gdfDKa^t^"},
    {ECMA_EXTENSIONS, "Tglg Tagalog", "FEcsf^r_"},
    {ECMA_EXTENSIONS, "Thaa Thaana", "AQo^k__^A{gHcAmBJFa^g^"},
    {ECMA_EXTENSIONS, "Tirh Tirhuta", "BNb_n_EGc^AILjgAACeBaeg"},
    {ECMA_EXTENSIONS, "Yezi Yezidi", "AQo^k^`^A{gBO@kAe^`__"},
    {ECMA_EXTENSIONS, "Yiii Yi", "LYl_bg_eFp^AAW{AFf`ArXJcb"},
    {ECMA_EXTENSIONS, "Zinh Inherited Qaai",
     "VqA}^_^zAPu_DRt|VdAq^^^bOk_Eu}BCLmmmkA@t^A[CqAi_tP]`ne_d{aAAZVsG_"},
    {ECMA_EXTENSIONS, "Zyyy Common",
     "]A|wcwAj^l^bt^|^MdAbbb_qCk^f^c^^^Rv^Fh^Oc^ALi^K|aAYe`BLgi_~^Ap^h`h^ln~AzAa^`_c^x^nAd`aSnvhr"
     "[gGoRm_}^C`O_A~^wKyia^`^j^j^r^Opu|^AlliaDvgbBy|^FY{A{WZiwC]`A@u^k_VFegsr_i^p^aDh^^}wcwcCvd^"
     "dgbKyjAnAhA[E~CkAwGegAb_Ay`ne_d{aAxFfqiqiBpxdC~Bn^B`^__^___a^i^^^d^A|^a_e^d^y^a^b^^`d^J]_Hq"
     "_AmEM|B]BeAxTwAgaB}il_l^l^A`gEaAsw^_jAgaftcDoA@}an`j`CnaBxcia^liaAsegcAce{__BgJ]ik_j`fdAi^d"
     "ekafdfdDh^ArA`gAAODt^{By"},
};
/* clang-format on */

const unsigned ecma_property_n_values = sizeof ecma_property_values / sizeof *ecma_property_values;
