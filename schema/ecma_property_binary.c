/* SPDX-License-Identifier: MIT
 *
 * Made by scripts/make_unicode_tables.py from the Unicode Character Database, version 15.0.0.
 * Names of one set are separated by spaces; the script says how the sets are written.
 */
#include "schema/ecma_property.h"

/* clang-format off */
const struct ecma_property ecma_property_binary[] = {
    {ECMA_BINARY, "ASCII_Hex_Digit AHex", "Akgdcwc"},
    {ECMA_BINARY, "Alphabetic Alpha",
     "A|wcwAj^g^a^bt^|^Mmaikbd^^^Bo^Aeb^__a^^c^^`^^^q^Bl^D`eD{^Aa_^cAdAbk^^^_^_^^exaazhbAs^dkC]^e"
     "aea`g`_^mAkjB~u~f_a^bu_ppvdhbu^cnAegi`dcBe^m^`aljp^e___s^d^^`a`e____^^e^a_^bi_g^a`^ca__s^d^"
     "_^_^_aba___a^da^^nch`^f^`^s^d^_^b`f^`^_`^laraa`^e___s^d^_^b`e____f_a_^bj^m_^c``^a`_^^^_`_``"
     "`iab``^``^c^Acj^`^t^m`e^`^`e_^`_^_aya^e^`^t^g^b`e^`^`e_c_^aj`ij^`^Ad_e^`^`^^badbsc^`^o`u^f^"
     "^_dec^^^eo_jAubdc^An_^^^b^u^^^p^`_b^^c^ka}^Aze^A_apam^A_A~Ar^^_bmA{ga_Aa^^b^_Af^Ix^a_d^^^a_"
     "Ad^a_~^a_d^^^a_l^At^a_A~A`mmBo_c`Re_n^wbBd`hdqhriqij^`^_iAo_pk^a^A~BrdAfbB_g|^iaft{_bhAgawA"
     "qyaAz_qAm^t_h`AlAo^l^eAnAe_agAg^hkArs`gA__fdAf_`Ada^c^_`^bEsAbkhHc_c_Aa_c_e^^^^^^^|_Ap^d^^`"
     "`^d`a_cajb`^dCk^j^mjB~^a^_g^^`bc^^^^^^a^h_abba^nAdW|AoAYiFvca`_iAa^^b^_Asd^mtfd^d^d^d^d^d^d"
     "^d^}Aj^Mx`vfdb_baBoc`^Bs^abAf^Bwn}AkmO_FY{A{WGtA~Ai_G|`mg_qAjbe`ChAbf_C^_A{b_^^^buq^~uAoiB]"
     "^^Agc`^^`g~bA^jz`An^il^mmgb^Arfkot`B^^^^^u`_m_ahc_c_cfd^d^Af^kcCrrKTqitaAlHXqJw_CaAadibbi^j"
     "^b^^^_^_^Cc~JtoA{_AqAciCkb^C~A_wcwhBr`c_c_c_`A^i^w^p^_^l_kA]CrB^ApGzz`AlAj}j{bAfb{_A_ae^bAe"
     "DsoA_aA_aAceAoih^l^d^_^h^l^d^_A~Ibfsgeuc^Ae^fB^c_^^Ag^_`^_tgtf|A|p^_gsgwB_Asc_A{a^_be^`^zAe"
     "z`zA^e^yxAqgsgpjoCeBbArAnjAnjAcJaAe^_`_Bgzg^esAeoAirxtfB_AfbgAtf^jvtAnnaeA^`^fA{^af_g^^^A^o"
     "^A]_^caAyd^^^a^l^gdAtta^e___s^d^_^b`e____`^c^bdDqA}^`^aq`{A}__^^EkAq_dvcA]Az^^`^AvAq_^B`x_k"
     "rdElAtC^A{|e_^_e^_^{^____aBve_Ai_c^^^_xAn_gnBab^oBbGvf^Ah^d^^Al{_s^kBbd^_^Ag`^^_^`^^__uc^_^"
     "A`^_^a^^Irtfn^Ad``Cf^Bh[aC]CfnEwBUoBzlAConcDFjQbIA|Pvd|nBhn{oAkma|rbpTeA{CwBdaAtdnA{_^^i_kF"
     "LmeAHkAefIJxa^d^_^Hpl^z`_^kaeKsBK{Cbbj`fdga^FH^Bn^B`^__^___a^i^^^d^A|^a_e^d^y^a^b^^`d^J]_v^"
     "v^|^v^|^v^|^v^|^v^eAZe|ccFfd^n_d^_^bbAy~^CgAhgdm^Il{oAgNeyVed^a^_^l^ExAvB]`^`^AGka^x^_^^_^^"
     "g^a^^^^c^a^^^^^^`^_^^_^^^^^^^^^^_^^_a^d^a^a^^^g^nb`^b^nRmwcwcwCX{APXm}DJccFo_FAmkGWxCGfO}AP"
     "gEEfbDKg"},
    {ECMA_BINARY, "Bidi_Control Bidi_C", "AR]^F[h_wbAra"},
    {ECMA_BINARY, "Bidi_Mirrored Bidi_M",
     "Ac_o^^^y^^^z^^^Ah^l^CYaaA[l_BPi_g_Aq_k_Ed^Esa`c`^`_`a^a^^^^afb^^obaf_^^^e_|_ab^f__pb_fb__au"
     "_meaq_d_AC|kBc^_a^_^`bab``kKzs_c^ke^dc`^ab^__ba^^`__gc__ip^a_^^^_^^ab_c`u_h_aa^___aAf_e^Acb"
     "^^^`bb`a^`b^^Go^Oba`_^_k__gAfeLpg_eA[Lzcb_Dw_o^^^y^^^z^^^^_^_BAZh^At^At^At^At^"},
    {ECMA_BINARY, "Case_Ignorable CI",
     "Ab^c^h^A^^^^B`^a^^^a^__NxEsa_a^f_^^GjdF`^b^AlAh^^^_^_^^Ag^hcgh^^A^^grm^B~e^g^a~^^^{xBthAuha"
     "^_^uuAf`Ag^d_ceAdAuAr^^^aea^`dg_j^l^Au^aae^q_w^__At^a_a__``^{_`^h_At^ab^_a^q_sc^^Au^_^^ae^d"
     "_h_{^Ax^i^Am^`^Ar^^`b`^ad_h_z^Au^_^c^b_q_y_At_aae^q_z^Ba^d`^^Bs^_dhfB{^_ff^^dBb_x^^^^^Ark^b"
     "^_bh^A_f^C]a^c^___v_a`maj^__c^l^Bw^Q{`[y`z_{_{_A{_^de^_h`^b^AhbAn^A|_A]^Cm`a_f^c`Fl__^Au^^d"
     "^^^^_ecg_^Ab^e|AlaAk^^b^^b^Acfi_}a__^`As^^_`^^`Aue__A{cBk`^j^da^c^`_AmAzj^A]B~M`^^`h`j`j`j_"
     "ibe_g^_^_bAlb^g^^j^mjAn~CB|_Ch`Ct^l^By}Aj^Mx^A_a`bb^BvcBv`AAXk^AHwcG}^B{a^g^^yaBi_kA]Bg^t`C"
     "^``_e^`^a^v_b^Dl_woj^AaevhAi`Ak^_a__n^r_A}c____i^e^A^^h^An^^`__b_^^x^k_b_^^B}bf`Cp^_^a^UHe^"
     "DhnPzm`^imA]^_^D~^d^c^h^A^^^^Aj^Ah_A~^r`O`^Fs^DjbABfc^Ae^fQa`^_baAc`a^Dz_PzaKj_Bi`B_hAlaCr^"
     "AqlAd^__g`Ala___^a^g^Am`A_b^eAy^i_Aofga_^Bx`_^^_c^_^Dr^`er_At_`^A`d`bEve_`^^t^Bmc^^a_^_G]ac"
     "_^_x_Bne_^^_Ca^^^_c^^B~`_a^bGrf^_Go_^^a^Dea__a^}gAcc_ae^fc_`Aij^_K}d^c^^Bks_d^_^_Cqc`^^_^d^"
     "^Ba_`^^^Jd_h_Aobb^^^EQpnclNSabAvdfaABl^AznA{_^_QFda^d^_CK]_^aDZeAi_tP]`fm_d{aDi`BBdAraAme^k"
     "^sb^lAL]d^n_d^_^bbAy~^DukJy^AxaN|bAAcdCdeBXlbAAQHv^{ByCwG_"},
    {ECMA_BINARY, "Cased",
     "A|wcwAj^g^a^bt^|^Ev^aaFa^A_d_{bBy^Aea___a^^c^^`^^^q^Bl^D`eD{^AafAdB[nAa^^b^_Af^aSwBo_cBH_fd"
     "Af_`A{EsA{Hc_c_Aa_c_e^^^^^^^|_Ap^d^^``^d`a_cajb`^dCk^j^mjB~^a^_g^^`bc^^^^^^a^ca^_abba^n}`_X"
     "^AoAYiFvca`_iAa^^b^ADOqAio{C{C]`a^Avb_^^^bub^`XbAf^kcBiUHudibABjwcwAF~BiByA_aA_Ckh^l^d^_^h^"
     "l^d^_Mf^_`^Ae^fAG|AnjAnCC|A{VZyA{[HeBn^B`^__^___a^i^^^d^A|^a_e^d^y^a^b^^`d^J]_v^v^|^v^|^v^|"
     "^v^|^v^eAZeg^qccGtAyBHoB]BCswcwcw"},
    {ECMA_BINARY, "Changes_When_Casefolded CWCF",
     "A|wBs^gt^e}^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^^^^^^^^^^^^_^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^^^_^^^_^`_a^_^``_^_^^^^^_^^_^^_^`^^^_`^d_^_^_^^"
     "^^^^^^^^^^^^^^_^^^^^^^^^^^^^^^^^__^^^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^d_^__^^a^^^^^^^^Ge^Ae^^^`^e^c^^`^^^_^n^fs^i``_^^^^^^^^^^^^^^^^^^^^^^^^^___^^^__AnAk^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^f^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^"
     "^^^^^^^_^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^_AaAk^B[oAa^^b^WycBH_fdAf_`Ik^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^b__^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^feecgeeeech^^^^^^^eemAk_`_cb`_chaibb`_cHv^`_c^Ahmp^X_wAZaAkAk^^`_^^^^^^a^^"
     "_^e`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^e^^^a^ADQh^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^p^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^C~^^^^^^^^^^^^^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^g^^^^_^^^^^"
     "^^^a^^^_^^^`^^^^^^^^^^^^^^^^^^^^b^b^^^^^^^^^^^^^^^a^^c^b^^^y^ZcBiUHudibABjwAG|AcD]A_Dqh^l^d"
     "^_AX_AnCEx}V[w}AD[gA]"},
    {ECMA_BINARY, "Changes_When_Casemapped CWCM",
     "A|wcwAu^gt^|^A{^Bm^j^k_k__^^aBv^ocx^_^^^_`_^^^_^b_^^__^d^_^^_`cb^g_D{^Aea__``^^c^^`^^^q^Aj`"
     "~^b^C|eD{^AagAbB[oAa^^b^_Af_`SwBo_cBH_fdAf_`El^`^m^ChDq_^^Cm_c_Aa_c_e^^^^^^^|_Ap^d^^``^d`a_"
     "cajb`^dHv^`_c^x^n}`_X^AoAYiCh^_^_dC]da`_iAa^^b^ADOqAioyC}k_Ayfl``_b^v^xb_aax_Yg^yBiUHudibAB"
     "jwcwAF~BiByA_aA_Ckh^l^d^_^h^l^d^_AV|AnjAnCC|A{VZyA{ADZiB]"},
    {ECMA_BINARY, "Changes_When_Lowercased CWL",
     "A|wB~t^d~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^^^^^^^^^^^_^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^`_^^^_^`_a^_^``_^_^^^^^_^^_^^_^`^^^_`^d_^_^_^^^^^^"
     "^^^^^^^^^^_^^^^^^^^^^^^^^^^^__^^^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^d_^__^^a^^^^^^^^Hn^^^`^e^c^^`^^^_^n^fA^^e^^^^^^^^^^^^^^^^^^^^^^^b^_^^__AnAk^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^f^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^^^^^^^^_^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "_AaC@~Aa^^b^UeBoBHwAf_`Ik^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^f^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^f"
     "eecgeeeech^^^^^^^eeueeeeeebhbhaibhbHv^`_c^Ahmp^X_wAZaAkAk^^`_^^^^^^a^^_^e`^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^e^^^a^ADQh"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^p^^^^^^^^^^^^^^^^^^^^^^^^^^^C~^^^^^^^^^^^^^`^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^g^^^^_^^^^^^^^a^^^_^^^`^^^^^^^^^"
     "^^^^^^^^^^^b^b^^^^^^^^^^^^^^^a^^c^b^^^y^WLhwAG|AcD]A_Dqh^l^d^_AX_AnCEx}V[w}AD[gA]"},
    {ECMA_BINARY, "Changes_When_NFKC_Casefolded CWKCF",
     "A|wB^^d^^^_^^^_a_`^`^t^e}^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^`^^_^^^^^^`^^^^^"
     "^^_^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^^^_^^^_^`_a^_^``_^_^^^^^_^^_^^_^`^^^_"
     "`^dg^^^^^^^^^^^^^^_^^^^^^^^^^^^^^^^^_a^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^d_^__^^a^^^^^^^^Bzf|c_bBt_^`f^}^^^^^^^`^`_ad^^^_^n^fs^ie^^^^^^^^^^^^^^^^^^^^^^^^^`^_"
     "^^^__AnAk^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^f^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^_^^^^^^^^^^^^_^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^_AaAk^Di^BqaUreCs_^^Bl^_^A]`_^Gl_Uh^Cv^Ac_Ai^Aq^f^a^a^a^i^f^^bd^n^f"
     "^a^a^a^i^FwAa^^b^Ai^B{_Snc[}_BnbAEkfdAf_`Cc`^h^o^yj^A]A`A{^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^b__^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^feecgeeeech^^^^^^^ee^^^^^^^^^^^^^^_Ak_`_k_f`^aa^``^ae_`_e"
     "^m^^b^i``c`_^_a^^^e`j^dp_x^jh^Bpa^`^h^__b_`^^^^^^^a^h^cabcAk`^b^Dw_^_Gg_I`D`AJr^C^`B~^HpAkA"
     "k^^`_^^^^^^a^^_^cb^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^e^^^a^Cs^H|^Bl^iFgAe^Ap^^`By__^Bx^AlBw`kBy|^AceAj^KgABTe^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^p^^^^^^^^^^^^^^^^^^^^^^^^^^^^_C{^^^^^^^^^^^^^`^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^e^^^^_^^^^^^^^a^^^_^^^`^^^^^^^^^^^^^^^"
     "^^^^^b^b^^^^^^^^^^^^^^^a^^c^b^^^va__Ymaf^cBiTUsG}_^^^_g^^^^__`B]_CaAadibb^^u^b^^^_^_^Cc~Jto"
     "A{_AqAcj`wsr_i^p^aa`^^^C~_^^Eq`c_c_c_``d^d^fABhAcD]A_Dqh^l^d^_Nlb^Ae^fAG|AnCEx}V[w}UAcaEP_d"
     "keA{cP|Bn^B`^__^___a^i^^^d^A|^a_e^d^y^a^b^^`d^J]_Hq_AmBEsAyBHoA]AHsa^x^_^^_^^g^a^^^^c^a^^^^"
     "^^`^_^^_^^^^^^^^^^_^^_a^d^a^a^^^g^nb`^b^nQ_hb|^}w`A^^Cf`jAgafd_BPkgBKUqO}[BWaDHm"},
    {ECMA_BINARY, "Changes_When_Titlecased CWT",
     "BzwAu^Adu^e^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^^^^^^^^^^_^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^`_^^^_^`^b^_^`_`^_^^^^^_^a^_^`^^^_^`^^^a^^_^_^^^"
     "^^^^^^^^^^^^^^_^^^^^^^^^^^^^^^^^`^^^^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^`^^^^^^^^^^^^^"
     "^^^^e^__^^a^^^^^^^^c^_^^^_`_^^^_^b_^^__^d^_^^_`cb^g_D{^Af^^^`^``o^xA^^_``^^^^^^^^^^^^^^^^^^"
     "^^^^^b^^_^_^AoAk^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^f^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^_^^^^^^^^^^^^_^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^AlAbCXucBH_fG_^`^m^Ci^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^db^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^fecgeeeecgeeeek_eeeeeeb^_c^``^_ea__eeg`^_J_^~ma^XxwAZwAk^^`_^^^^^^c"
     "^_^g^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^e^^^a^iAa^^b^ADOr^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^p^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^C~^^^^^^^^^^^^^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^g^^"
     "^_^^^^^^^^^a^a^^__^^^^^^^^^^^^^^^^^^^h^^^^^^^^^^^^^^^a^^^c^b^^^y^Yg^yBiUHudibAChwAHbAcD]A_D"
     "ph^l^d^_AXxAnCDz}V[w}AD[iA]"},
    {ECMA_BINARY, "Changes_When_Uppercased CWU",
     "BzwAu^Adu^e^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^^^^^^^^^^_^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^`_^^^_^`^b^_^`_`^_^^^^^_^a^_^`^^^_^`^^^b_^_^_^^^"
     "^^^^^^^^^^^^_^^^^^^^^^^^^^^^^^_^_^^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^`^^^^^^^^^^^^^^^"
     "^^e^__^^a^^^^^^^^c^_^^^_`_^^^_^b_^^__^d^_^^_`cb^g_D{^Af^^^`^``o^xA^^_``^^^^^^^^^^^^^^^^^^^^"
     "^^^b^^_^_^AoAk^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^f^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^_^^^^^^^^^^^^_^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^AlAbC@}Af_`VicBH_fG_^`^m^Ci^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^db^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^fecgeeeecgeeeek_Ap^_a^^^``^_a^`a__eeg`^_a^I|^~ma^XxwAZwAk^^`_^^"
     "^^^^c^_^g^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^e^^^a^iAa^^b^ADOr^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^p^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^C~^^^^^^^^^^^^^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^g^^^_^^^^^^^^^a^a^^__^^^^^^^^^^^^^^^^^^^h^^^^^^^^^^^^^^^a^^^c^b^^^y^Yg^yBiUHudibAChwAHbAc"
     "D]A_Dph^l^d^_AXxAnCDz}V[w}AD[iA]"},
    {ECMA_BINARY, "Dash", "Ah^ALi^An^CWh^ABf^BDncAx^Ab^l^Km^CFm^_^|_a^y^Ma^p^Cf^A[Gw_A`^g^D~^DEr^"},
    {ECMA_BINARY, "Default_Ignorable_Code_Point DI",
     "E`^Sx^U_^C@w_ASr_BnbBD`bwbAlmDOs^A[@pmG^^Du^BhfAVTlaEPteAAZPrDHm"},
    {ECMA_BINARY, "Deprecated Dep", "It^AJz^BKz^^^BEl_BJ^cTn_AFBHs^"},
    {ECMA_BINARY, "Diacritic Dia",
     "Bw^^^B`^c^a^__NxDt^ebcn_a^f_GlbFb^Arn^x^^^_^^C}ea_C}_a_``A~xBthAuhA]_CueAdgmyAx^m^`ay^Bc^m^"
     "Ce^m^Ce^m^Aj`Aw^m^d^Cn^Ce^m^Ce^m^Cd_m^Cs^Csc^^Cb^jbBd_x^^^^^a_A}`^_Ay^Cg^^_Ac_abvd^^g_Tv`[{"
     "_Efhf^Jd`Ide_^Akl_hC_^l^AafAq_D__A{cBkva^c^_`AmAzBriA`hM`^^`h`j`j`j_CMk`Ih^N{cC`aBx^ACPg^i_"
     "^^y_Bk_kA]C]`Cd_E}^xoAtaA_^Bx^i^A_^Dj`A|aAn^B}bf`Cw_UHe^VrmG}^^^Aj^Ah_A~^Vm^AFxc^Ae^fWy_Pxc"
     "Mx`B_hAlaEs^Ad^Ba_Co_Ay^Be^f`C__Ee_Bj^m^ud`bF^^`^Cr_Gj_Cu^Cm_Cj^G|_Gq_a^Dq^Bl^o^Bj^Lj^Gq^^_"
     "Bj^FBxlNSabAvdADunBi_QEya^d^_HIlAi_tP]``cee_d{aCYeAyEudK^^AxaAPedCd`^`"},
    {ECMA_BINARY, "Emoji",
     "A^^c^bgCf^a^HMp^i^Fi^s^Bscl_Jx_i^D{^vha`Ez^Fx_g^f^Aua^bf^_^___^a^_^^__^`^`_e`b^^^bih__^^_^^"
     "o^__oc^^^_`_b^__a_h_b__^b_^^^_q_bc^a_^a^_^_c^^_^^^^^c^`^c^g_l^_^a^^^a`^^h_Ak`f^k^k^J}_Mr`p_"
     "An^a^AHo^i^Qt^^^DGUu^E}^Du_i_k^_gBdw^_t^q^_fr_EaA]_Cg__^`_Bl_`^Gv^Azhc^ud__ei^_a_^a_j__^e_f"
     "^b`i`e`_^^^a^c^`^cBoAkB_be_`ag`^^_`^_gFtia^HhAj^g^ElCgj`fdAi^dekafdf"},
    {ECMA_BINARY, "Emoji_Component EComp", "A^^c^bgHOr^Ff^BCMf^BIO}wN|bANyaAAOVuBy"},
    {ECMA_BINARY, "Emoji_Modifier EMod", "DVLpb"},
    {ECMA_BINARY, "Emoji_Modifier_Base EBase",
     "JF~^Fl^maDKW^^Aw`_^_`Cl__hrp`^a`^`d^^^u^E|_a^r^a_Ea``bBl^m`f^h^P|^_^eec^fg_`As^Ax_^_^^n`^jF"
     "v`Aef"},
    {ECMA_BINARY, "Emoji_Presentation EPres",
     "ILg_F^a`^_^Oh_r_AmiAf^p^j^e_n_b_e^b^r^d_^^a^_^d^a_y^A^^^^a`^^Ax`u^k^Yf_An^a^DITk^E}^Eq^_gBd"
     "w^^u^q^_b^`r_Ea~if^B_^siAfabin`^`B`^^^En_Azja^uo^w_j^BoBnAkB_c^``_`aah_dfFtia^HhAj^g^ElCgj`"
     "fdAi^dekafdf"},
    {ECMA_BINARY, "Extended_Pictographic ExtPict",
     "D~^a^HMp^i^Fi^s^Bscl_Jx_i^Bx^B_^vha`Ez^Fx_g^f^Aua^c^i^CigCm_h^^^^c^`^c^g_l^_^a^^^a`^^hbAh`f"
     "^k^k^J}_Mr`p_An^a^AHo^i^Qt^^^DGUqGoj`|^Awci_k^_goAtxlg^q^_f^afLwbIieGyAkCwCkiBnAfiaAsegcAce"
     "{BkiAj^g^L~GoAB_"},
    {ECMA_BINARY, "Extender Ext",
     "Ej^Ow_Yy^L~^Ye^Va^Cv^BMv^As^Q~^Ku^B]^EG`^AfbC^_Bv`AAXk^AP{^A@g^s^D^^Cc^r_VT`^BDu_CEe^Ra`AHd"
     "^USh_AFu_^^ABMk_BDk`"},
    {ECMA_BINARY, "Grapheme_Base Gr_Base",
     "}Bx~j^QmCge_cad^^^q^FqdD{^Aa_Am_`Ai^^^_^_^fxacngh^^Airm^B~e^c__^a}_^^{zBrh^kAffd`ua^f^`^dl^"
     "vb^^hb|nAeAtAr^^^aea^`dg_z^_^e___s^d^^`a`^^_c___^^j_^`aub^^ca__s^d^_^_^_a`ua^^dg_`^^i^^f^`^"
     "s^d^_^b`ae^^_`^l_aid^e_^e___s^d^_^b`^_^c___l_^`aoh^^c``^a`_^^^_`_```ib^^_``^``^rrc`^e^`^t^m"
     "`^`ap`_^__agdg^h^`^t^g^b`_^_^___^_n_^_ag^`kh^`^Ad_^^_b`^`^_a`^gaw__^o`u^f^^_df_cddg_`iAk^_h"
     "eejA`_^^^b^u^^^g^_f^_b^^fg_a}u_x^^^^^k^A_o^b^_bAle^c^jA`Aha^c^___v_a`maj^__c^l^Ac^^b^_K`^a_"
     "d^^^a_Ad^a_~^a_d^^^a_l^At^a_A~bz`wcBo_c_St`Brdo`^fp_`fokj^`lAo_^de^_hf`gcgchbgcBrdb_A]^^bB_"
     "g|aa_`a_^cd^`Ae_bhAgawch`At__`As^^f^^_ecjgcgckBoAkd^^b^g`xfh`}a__^`As^^_`^^`_eAke_bl`AwdAf_"
     "hh^j^da^c^`_^bEsA{Hc_c_Aa_c_e^^^^^^^|_Ap^l^k_c^p_`^f^hbudAlm__x^j`~AzDaaSnvhrAYg_}^Ja`_bAh^"
     "^b^_Asd_ltfd^d^d^d^d^d^d^d~BwA]w^BriFgwiaAecm^BoaB~bAf^Bw^BmiAj^ABUp`ArfJeqAja^g}_Bi_ceE~b_"
     "^^^bum^`^a^v_bagcAseB]giuj^Aaevh_h{cAk^_a__m^had^v^Adc___h`^e^^_g_}^An^^`__b_^^^un_ehc_c_cf"
     "d^d^AwaCl^_^a`gcKTqitaAlHXqJw_CaAadibb^^u^b^^^_^_^CtmM`_Aqd^}mmgsA^^p^aab^C~aDr_|`c_c_c_``d"
     "^dj__i^w^p^_^l_kA]Crb`aAh`Bq^j`^AjAhCzz`AlmxaA_f{bAag{^A`akAeDs_gcA_aA_aAceAohi^l^d^_^h^l^d"
     "^_A~Ibfsgeuc^Ae^fB^c_^^Ag^_`^_t^BaefAkp^_b~`xb^A{Asaq_Ajla^`^zgfdfdA{}A`cifAq`z_xbwdaidBiBb"
     "ArAnjAndAeigHs|^Ae`^__BgAceshfsoaaAayqtf^^Aqlda{^__^iAla___^akvdgfA_b^foeA^^`hAofga_^m^qho^"
     "y`_^^_c^_Azd^^^a^l^hcAj^`jge_^e___s^d^_^b`^^^^a___`_^idDqAse_`^^r^^^`{Ak^_c^^_^^_^_aegD{Aj^"
     "_ca_^_xA_Ane_^^_ahgcjpAf^^^_c^^_cgAqxb_a^ftElAjf^_^B}Blie_^_e^_^u^b^_a^^a^`fgB_e_Aeea^ax^gA"
     "cc_aef^c_`Aij^_fjBbdgGef^Aak^^cgz`}v^d^_^Bdd^_^Aar^fgcc^_^A`a_^^^^dgIap_afl^A_e_^^^tBo^lAmj"
     "[bC]Cf^bhEwBUoB|jAConcDFjQbIA|Pvd|^gaBj^gc{d^gAkdlgg^d^rbpTeBtB~BdbAshjA{ai_kFLmeAHkAefIJxa"
     "^d^_^Hpl^z`_^kaeKsBK{Cbbj`fdg_^_^E@uCkAwGegAb_Aw^^`ar_d{aAxrA}`^CqqiqiBpfvC~Bn^B`^__^___a^i"
     "^^^d^A|^a_e^d^y^a^b^^`d^J]_Hq_PoAraAme^k^dAEo|ccGtAyDgAhgd_ga_Ik{oAgagb^MsyagUyd^a^_^l^Ex_f"
     "AkB]d^aga_W`B]BeAxEua^x^_^^_^^g^a^^^^c^a^^^^^^`^_^^_^^^^^^^^^^_^^_a^d^a^a^^^g^nb`^b^nAo_G}A"
     "gaB}il_l^l^A`gEaAszjAgafd_kcDoA@}an`j`CnaBxcia^liaAsegcAce{__BgJ]ik_j`fdAi^dekafdfdDh^ArA`g"
     "ABgAPXm}DJccFo_FAmkGWxCGfO}APgEEfbDKg"},
    {ECMA_BINARY, "Grapheme_Extend Gr_Ext",
     "VqCgH`dGvAh^^^_^_^^BahAkrm^B~d_c__^aA^^{xBthAuff^ua^f^`^bAf`AweAeu^}Ar^^^aea^`dg_z^Au^^^_ae"
     "^f^g_w^__At^a_a__``^{_`^h_At^ab^_a^q_sc^^Au^^_^ae^d`g_{^Av^^^i^f^Ac^`^Ar^^`b`^ad_h_z^Au^_^_"
     "^`^b_d_h_y_At_^^_ae^f^g_z^Ba^a^_`^^e^Bj^_dieB{^_fhdBb_x^^^^^Ark^b^_bh^A_f^C]a^c^___v_a`maj^"
     "__c^l^Tt`[y`z_{_{_A{_^de^_hf^Ah`^^Cl_A]^Cm`a_f^c`Fl__^Au^^d^^^^_ecg_^Ak|AlaAkd^^b^Acfi_}a__"
     "^`As^^_`^^`Aue__Dm`^j^da^c^`_EyA{Ok^Ev~CFg`Db^By}PgcC`_ACSca^g}_Bi_H]^`^a^v_b^Dl_woj^AaevhA"
     "i`Ak^_a__Ab^A~c____i^e^Aj^An^^`__b_^^Ae_e^G]^_^a^UHe^UtmmmJw_Qx^Fs^DjbAUa`^_baAc`a^Dz_PzaKj"
     "_Bi`B_hAlaCr^AqlAd^__g`Ala__d^Ax`A_b^eAy^i_Aofga_^Bx`_^^_c^_^Dr^`er_At_^^^^s^kd`bEve_`^^t^B"
     "j^_c^^_^^_^_F|^_ac_^_x_Bne_^^_Ca^^^_c^^B~`_a^bGrf^_Gd^g_^^a^Dea__a^}gAcc_ae^fc_`Aij^_K}d^c^"
     "^Bks_d^_^_Cqc`^^_^d^^Ba_`^^^Jd_h_Aobb^^^ER^^clNSabAvdABy^AzaBj^TQs_DZjAi_tO}^^`abee_d{aDi`B"
     "BdAraAme^k^sb^lAL]d^n_d^_^bB}^DudK^^AxaN}aAAcdCddAATFfByCwG_"},
    {ECMA_BINARY, "Hex_Digit Hex", "AkgdcwcBLMlgdcwc"},
    {ECMA_BINARY, "IDS_Binary_Operator IDSB", "LX}__e"},
    {ECMA_BINARY, "IDS_Trinary_Operator IDST", "LY]_"},
    {ECMA_BINARY, "ID_Continue IDC",
     "Akgdwa^^wAj^g^^^_^bt^|^Mmaikbd^^^nCl^__a^^cb^^^q^Bl^D`^b_D{^Aa_^cAdeAh^^^_^_^^exaazhbBcaC]^"
     "e_g^p_^mAv_B~kAqa^_^_Aioyahbu^cfBc^Cx_g^p^e___s^d^^`a_f___ae^a_^b_ig^^^_`^ca__s^d^_^_^__^^b"
     "a__``^da^^dmh`^f^`^s^d^_^b_g^`^`_^la_gfd^`^e___s^d^_^b_f___`d`a_^b_g^^m_^c``^a`_^^^_`_```ia"
     "b``^a_^c^kgmj^`^t^m_f^`^ad_^`_^_a_gma^e^`^t^g^b_f^`^ad_c_^a_g^`ij^`^An^`^bbadb_ggc^`^o`u^f^"
     "^_d`^ac^^^ecg__jAubl^gAb_^^^b^u^^^t_b^^^d^g_a}^t_cgh^^^^^ag^A_aq^o^A_f^AtBccBg_Aa^^b^_Af^Ix"
     "^a_d^^^a_Ad^a_~^a_d^^^a_l^At^a_A~_`ffkmmBo_c`Re_n^wbBd`hdsfshqij^`^_iBm`^a__g~`^hcBrdAfbB_g"
     "|^iaigAc_bhAgawchA`yaAz^z_hcgj^ek^mAlBf`gnfiCkiAseg`Al_fdAf_`m`^AbbOu_c_Aa_c_e^^^^^^^|_Ap^d"
     "^^``^d`a_cajb`^dA}_p^y^j^mjAnja^`in^a^_g^^_cc^^^^^^m_abba^nAdBVxFvcfiAa^^b^_Asd^lufd^d^d^d^"
     "d^d^d^d^}Od`vl^b_baBo_d^Bs^abAf^Bwn}AkmO_FY{A{WGtA~Ai_G|`yqAkag^CjA`f_C^_A{b_^^^buAqa^pAoiB"
     "_ggcu`^^Al_A_iz`A|khc|^Arfk_gct`Bbu`_m_bgc_c_cfd^d^Af^kcCr^__gcKTqitaAlHXqJw_CaAadibbi^j^b^"
     "^^_^_^Cc~JtoA{_AqAciammm`_u`}b^C~pgdwa^^whBr`c_c_c_`A^i^w^p^_^l_kA]CrB^ApD]^Cyz`All^|}j{bAf"
     "b{_A_ae^bAeDs_gcA_aA_aAceAoih^l^d^_^h^l^d^_A~Ibfsgeuc^Ae^fB^c_^^Ag^_`^_tgtf|A|p^_gsgwB_Asc_"
     "A{a^_be^`^z_`a^}z`zA^e^{vAqgsgpjoCeBbArAnjAnjAcegIqAe^_`_Bd}g^e~|sAerxtfB`|mfAwd^jvdgcAp^ga"
     "aeA__^fB^aa^j^^A^o^A`caAyd^^^a^l^gdAvbgca^e___s^d^_^b^g___`_^c^bd_d`bD`Bdbgaa{B_^^egD{Aq_ft"
     "cA]A|`^hgAaAtdgAqx_lagcdElAvB~Bcre_^_e^_^{^__figB_e_Ai_e^_xAze^eBc`^oBbGvf^Ah^flgu{_s^kBbd^"
     "_^Ag`^^_^fegcc^_^A`^_^cdgIatfn^Ad`bjgBo^Bh[aC]CfnEwBUoBzlAComsDE}QbIA|Pvd|^gcBh^gc{_bhArfai"
     "gfrbpTeA{CwBdaAtdnA{_^_h_kFLmeAHkAefIJxa^d^_^Hpl^z`_^kaeKsBK{Cbbj`fdg`_DZjAi_tO}b`cee_d{aDi"
     "`M^Bn^B`^__^___a^i^^^d^A|^a_e^d^y^a^b^^`d^J]_v^v^|^v^|^v^|^v^|^v^e_AmO_AraAme^k^sb^lADm|ccF"
     "fd^n_d^_^bbAy~^CgAh`k_ga^Il|nAuMyAeUyd^a^_^l^ExhdAdBeagAG]a^x^_^^_^^g^a^^^^c^a^^^^^^`^_^^_^"
     "^^^^^^^^^_^^_a^d^a^a^^^g^nb`^b^nCOkgABgAPXm}DJccFo_FAmkGWxCGfO}APgEEfbDKgZSYsG_"},
    {ECMA_BINARY, "ID_Start IDS",
     "A|wcwAj^g^a^bt^|^Mmaikbd^^^Cxb^__a^^c^^`^^^q^Bl^D`eD{^Aa_^cAdB`xaaAhAfA^_^B|^^l_d_g`_^m^^{z"
     "Brh^u~f_a^bsa^f^`^tvdhbu^cnAeAuAq`^o^dglmae___s^d^^`a`^m^j_^`k_g^eca__s^d^_^_^_|a^^p`mf^`^s"
     "^d^_^b`^o^l_t^he___s^d^_^b`^{_^`l^n^^c``^a`_^^^_`_```is^Aoe^`^t^m`^w`_^__{^ae^`^t^g^b`^|_^_"
     "l_nf^`^Ad_^m^b`e`ucbo`u^f^^_dAuAk^_idAu_^^^b^u^^^g^_f^_b^^ra}^Aze^A_xbCjAfq^mcaa`^`_d`aji^n"
     "Aa^^b^_Af^Ix^a_d^^^a_Ad^a_~^a_d^^^a_l^At^a_A~A`mmBo_c`Re_n^wbBd`hdojpkokj^`lAoA^^a^A~BrdAd^"
     "^bB_g|Al{_bhAgawAqtfApBk^BvAjneAq{j_gAgwA_Ad`gA__fdAf_`Ada^c^_`^bEsA{Hc_c_Aa_c_e^^^^^^^|_Ap"
     "^d^^``^d`a_cajb`^dCk^j^mjB~^a^_g^^_cc^^^^^^m_abba^nAdBVxFvca`_iAa^^b^_Asd^mtfd^d^d^d^d^d^d^"
     "dPc`vfdb_baBoab^Bs^abAf^Bwn}AkmO_FY{A{WGtA~Ai_G|`mg_qAjm|_BiAbf_C^_A{b_^^^bum^`^a^tzAokAmAy"
     "c`^^_hygtvzdAjy^mb^ggb^Adt`^eqt`^`Am^^`__b_^^^u`_hd`ic_c_cfd^d^Af^kcCjzKTqitaAlHXqJw_CaAadi"
     "bb^^g^j^b^^^_^_^Cc~JtoA{_AqAciCkb^C~A_wcwhBr`c_c_c_`A^i^w^p^_^l_kA]CrB^ApGzz`AlAj}j{bAag{_A"
     "_ae^bAeDsoA_aA_aAceAoih^l^d^_^h^l^d^_A~Ibfsgeuc^Ae^fB^c_^^Ag^_`^_tgtf|A|p^_gsgwB_Asc_A{^la^"
     "`^zAez`zA^e^yxAqgsgpjoCeBbArAnjAnjA_JeAec_Bgzg^esAeoAirxtiApAt__^jAh}vwA_z^_^eA^`^iAkkar^^^"
     "A^o^vp_Azd^^^a^l^gdAjAae___s^d^_^b`^o^ibDsApoaq`{Akq_^^EkAjAdaA_Akq^AvAfj^B`xA`dElAgCkA{|e_"
     "^_e^_^ul^^^Bwe_Abm^^^y^gAcd^r^hAip^oBbGvf^A`n^Al{Cgd^_^Aar^vc^_^}k^Irpl^^j^A]Cs^Bh[aC]CfnEw"
     "BUoBzlAConcDFjQbIA|Pvd|nBhn{oAkma|rbpTeA{CwBdb^A}jA{_^^yFLmeAHkAefIJxa^d^_^Hpl^z`_^kaeKsBK{"
     "Cbbj`fdgFHcBn^B`^__^___a^i^^^d^A|^a_e^d^y^a^b^^`d^J]_v^v^|^v^|^v^|^v^|^v^eAZe|ccGtAyDgAhgdm"
     "^Il{oAgNeyVed^a^_^l^ExAvB]d^AGka^x^_^^_^^g^a^^^^c^a^^^^^^`^_^^_^^^^^^^^^^_^^_a^d^a^a^^^g^nb"
     "`^b^nDR]APXm}DJccFo_FAmkGWxCGfO}APgEEfbDKg"},
    {ECMA_BINARY, "Ideographic Ideo",
     "LYq_vfk`A@jFY{A{VAkWZaJw_CaACMe^xFLmeAHkAefIV`KsTS{APXm}DJccFo_FAmkGWxCGfO}APgEEfbDKg"},
    {ECMA_BINARY, "Join_Control Join_C", "HQg_"},
    {ECMA_BINARY, "Logical_Order_Exception LOE", "CWgbCrbBZi`_^AJ[q__^^_"},
    {ECMA_BINARY, "Lowercase Lower",
     "BzwAj^g^a^A_u^e^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^^^^^^^^^^^_^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^`_^^^_^`_a^_^``_^_^^^^^_^^_^^_^`^^^___`c^_^_"
     "^^^^^^^^^^^^^^^^_^^^^^^^^^^^^^^^^^__^^^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^d_^__^^a^^^^^^^^B^^A_d_{bBy^Af^^^`^_ao^xA^^_``^^^^^^^^^^^^^^^^^^^^^^^b^^_^__AnAk^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^f^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^^"
     "^^^^^^_^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^AkAdC@|Af^aVicBH_fCnEsA|^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^f^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^fecgeeeecgeeeek_eeeeeeb^_c^``^_ea__eeg`^_Cp^j^mjCd^`_`^x^a^a^__eaa^~ma^XxwAZwAk^^`"
     "_^^^^^^a^^_^e`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^_d^^^a^iAa^^b^ADOr^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^p^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^`C|^^^^^^^^^^^^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^g^^^^_^^^^^^^^^a^^^_^^`^^^^^^^^^^^^^^^^^^^^b^b^^^^^^^^^^^^^^^a^^^c^^^^^^^^^u`^^^`XbAf"
     "^kcBiUHudibAChwAHbAcD]A_Dph^l^d^_Mf^_`^Ae^fAIxAnCDz}V[w}[I]wwd^owwwa^^^d^hwwwwwwwwwwwwwwwww"
     "yyv^cwv^cwv^cwv^cwv^c^^AZeg^qccGtAyBIoA]"},
    {ECMA_BINARY, "Math",
     "Af^m`|^z^^^Ah^a^A`^|^Uk`_^w__`On`G@b^x`h^`^j^karbhbA|ja^`_abo^a^_g^^_cc^`___^`^c`k^^B]u^c^_"
     "a_a}^^c_kG{eaq_Bs^{x^^u^hdM`_igaca___`bk^^^_cheb_At^^^zaf`I{A{GoO_Akr_cA[Y_^Xdc^^Dw^m`z^^^z"
     "^^^Cz^caBA@xBn^B`^__^___a^i^^^d^A|^a_e^d^y^a^b^^`d^J]_Hq_AmEYsa^x^_^^_^^g^a^^^^c^a^^^^^^`^_"
     "^^_^^^^^^^^^^_^^_a^d^a^a^^^g^nb`^b^nAo_"},
    {ECMA_BINARY, "Noncharacter_Code_Point NChar",
     "BLG_}Om_BLWm_BLWm_BLWm_BLWm_BLWm_BLWm_BLWm_BLWm_BLWm_BLWm_BLWm_BLWm_BLWm_BLWm_BLWm_BLWm_"},
    {ECMA_BINARY, "Pattern_Syntax Pat_Syn",
     "~lgdwa^^waA]d^^^_^^^_a^a^`^t^|^HJauel_p^gH~UcDuRo{AEgO_CwKh`avl^A[C|_Gt_"},
    {ECMA_BINARY, "Pattern_White_Space Pat_WS", "fbo^B}^HMk_u_"},
    {ECMA_BINARY, "Quotation_Mark QMark", "A]^a^Cz^l^HLaev_CUr^Mlaj`A[L^aEp^a^Bs_"},
    {ECMA_BINARY, "Radical", "LNaw^BriFg"},
    {ECMA_BINARY, "Regional_Indicator RI", "DUX{w"},
    {ECMA_BINARY, "Sentence_Terminal STerm",
     "~^i^m^AKx^Dh`Eg^Af`Ge^Ax^^^`_Hr_AW{_We^a_Vv^Ey_F]^b^Ie_JkaEa___z_Eo_A|_A@a_f`CTq^j^s_Lr^ACL"
     "y^G}_Ft^`^Ke_Bo_Bx^Dm_Dh`De_Gh^VDk^`_D~^i^m^A|^BZm_AIpbAgaEp_ClaCv`Cx_c^m_Bq_^_Cc^Lf_J~_blC"
     "`_Gh`Od^^^Gj_Bp_Li_Ti_Bc_TE|_C|^A|_h^Y^^T[m^HAc^"},
    {ECMA_BINARY, "Soft_Dotted SD",
     "C`_Ew^Hf^{^Ao^q^Ik^B{^^^FTn^An^j^`^C{^Dr^Lj^Fg_C@g^DAYx_Am_Am_Am_Am_Am_Am_Am_Am_Am_Am_Am_Am"
     "_BHc^H~_w^"},
    {ECMA_BINARY, "Terminal_Punctuation Term",
     "~^g^^^h_`^Xk^e^O`^At^Ba^k^^`Eg^Afh^^F|_Aql|^Gt_AIg_E_^acIb_WdeVv^Cs`B`_Dr``^Aba__Ie_JkaEa_^"
     "`z_EobAy_A@a_f`CTq^j^a^g^^_`_Lq_ACLx_G|`FtbKe_Bo_Bx^Dl`Dh`Cv^m_Gh^VDi`^aD~^g^^^h_`^A|^_^ACy"
     "^Ak^AF_^Ez^Ia_DmcB]cBraA@]bAgaEpdCgaCv`Cx_c^m_BqbCc^Lf`i_Joa`lC`_Gh`Od^^^Gj_Bp_a_Lc`Ah^R~_B"
     "c_AJ|bRVz_C|^A|`g^Y]_T[m^HAba"},
    {ECMA_BINARY, "Unified_Ideograph UIdeo",
     "M[oFY{A{VAkXF__^^^_g^^^^__`BNKmAPXm}DJccFo_FAmkGWxEKnEEfbDKg"},
    {ECMA_BINARY, "Uppercase Upper",
     "A|wB~t^d~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^^^^^^^^^^^_^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^`_^^^_^`_a^_^``_^_^^^^^_^^_^^_^`^^^_`^d^_^_^_^^^^^"
     "^^^^^^^^^^_^^^^^^^^^^^^^^^^^_^_^^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^d_^__^^a^^^^^^^^Hn^^^`^e^c^^`^^^_^n^fA^^_``^^^^^^^^^^^^^^^^^^^^^^^b^_^^__AnAk^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^f^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^_^^^^^^^^^^^^_^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^_AaC@~Aa^^b^UeBoBHwAf_`Ik^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^f^^^^^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^feecgeeeech^^^^^^^eeBaaiaiaibhaGu^a^``_`_^`bc^^^^^^a_ag_b^wmp^X_wAZaAkAk^^`_^^^^^^a^^_^e`^"
     "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
     "^^^^^^e^^^a^ADQh^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^p^^^^^^^^^^^^^^^^^^^^^^^^^^^C~"
     "^^^^^^^^^^^^^`^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^g^^^^_^^^^^^^^a^"
     "^^_^^^`^^^^^^^^^^^^^^^^^^^^b^b^^^^^^^^^^^^^^^a^^c^b^^^y^WLhwAG|AcD]A_Dqh^l^d^_AX_AnCEx}V[w}"
     "[Icwwwwww^^__^___a^ewww_^a_e^dx_^a^b^^`dxwwwwwwwwwww{v~v~v~v~v~^DQpA]BDswcwcw"},
    {ECMA_BINARY, "Variation_Selector VS", "FM^`^^BEWgmAC[T]G_"},
    {ECMA_BINARY, "White_Space space", "fbo^B}^w^EXt^BOnhz_b^Aj^DEs^"},
    {ECMA_BINARY, "XID_Continue XIDC",
     "Akgdwa^^wAj^g^^^_^bt^|^Mmaikbd^^^nCl^_``^^cb^^^q^Bl^D`^b_D{^Aa_^cAdeAh^^^_^_^^exaazhbBcaC]^"
     "e_g^p_^mAv_B~kAqa^_^_Aioyahbu^cfBc^Cx_g^p^e___s^d^^`a_f___ae^a_^b_ig^^^_`^ca__s^d^_^_^__^^b"
     "a__``^da^^dmh`^f^`^s^d^_^b_g^`^`_^la_gfd^`^e___s^d^_^b_f___`d`a_^b_g^^m_^c``^a`_^^^_`_```ia"
     "b``^a_^c^kgmj^`^t^m_f^`^ad_^`_^_a_gma^e^`^t^g^b_f^`^ad_c_^a_g^`ij^`^An^`^bbadb_ggc^`^o`u^f^"
     "^_d`^ac^^^ecg__jAubl^gAb_^^^b^u^^^t_b^^^d^g_a}^t_cgh^^^^^ag^A_aq^o^A_f^AtBccBg_Aa^^b^_Af^Ix"
     "^a_d^^^a_Ad^a_~^a_d^^^a_l^At^a_A~_`ffkmmBo_c`Re_n^wbBd`hdsfshqij^`^_iBm`^a__g~`^hcBrdAfbB_g"
     "|^iaigAc_bhAgawchA`yaAz^z_hcgj^ek^mAlBf`gnfiCkiAseg`Al_fdAf_`m`^AbbOu_c_Aa_c_e^^^^^^^|_Ap^d"
     "^^``^d`a_cajb`^dA}_p^y^j^mjAnja^`in^a^_g^^_cc^^^^^^m_abba^nAdBVxFvcfiAa^^b^_Asd^lufd^d^d^d^"
     "d^d^d^d^}Od`vl^b_baBo___`^Bs^abAf^Bwn}AkmO_FY{A{WGtA~Ai_G|`yqAkag^CjA`f_C^_A{b_^^^buAqa^pAo"
     "iB_ggcu`^^Al_A_iz`A|khc|^Arfk_gct`Bbu`_m_bgc_c_cfd^d^Af^kcCr^__gcKTqitaAlHXqJw_CaAadibbi^j^"
     "b^^^_^_^Cc~D`cFkoA{_AqAcgcmmm`_u`~^^^`^^^^^^^^Cupgdwa^^whBr`c_c_c_`A^i^w^p^_^l_kA]CrB^ApD]^"
     "Cyz`All^|}j{bAfb{_A_ae^bAeDs_gcA_aA_aAceAoih^l^d^_^h^l^d^_A~Ibfsgeuc^Ae^fB^c_^^Ag^_`^_tgtf|"
     "A|p^_gsgwB_Asc_A{a^_be^`^z_`a^}z`zA^e^{vAqgsgpjoCeBbArAnjAnjAcegIqAe^_`_Bd}g^e~|sAerxtfB`|m"
     "fAwd^jvdgcAp^gaaeA__^fB^aa^j^^A^o^A`caAyd^^^a^l^gdAvbgca^e___s^d^_^b^g___`_^c^bd_d`bD`Bdbga"
     "a{B_^^egD{Aq_ftcA]A|`^hgAaAtdgAqx_lagcdElAvB~Bcre_^_e^_^{^__figB_e_Ai_e^_xAze^eBc`^oBbGvf^A"
     "h^flgu{_s^kBbd^_^Ag`^^_^fegcc^_^A`^_^cdgIatfn^Ad`bjgBo^Bh[aC]CfnEwBUoBzlAComsDE}QbIA|Pvd|^g"
     "cBh^gc{_bhArfaigfrbpTeA{CwBdaAtdnA{_^_h_kFLmeAHkAefIJxa^d^_^Hpl^z`_^kaeKsBK{Cbbj`fdg`_DZjAi"
     "_tO}b`cee_d{aDi`M^Bn^B`^__^___a^i^^^d^A|^a_e^d^y^a^b^^`d^J]_v^v^|^v^|^v^|^v^|^v^e_AmO_AraAm"
     "e^k^sb^lADm|ccFfd^n_d^_^bbAy~^CgAh`k_ga^Il|nAuMyAeUyd^a^_^l^ExhdAdBeagAG]a^x^_^^_^^g^a^^^^c"
     "^a^^^^^^`^_^^_^^^^^^^^^^_^^_a^d^a^a^^^g^nb`^b^nCOkgABgAPXm}DJccFo_FAmkGWxCGfO}APgEEfbDKgZSY"
     "sG_"},
    {ECMA_BINARY, "XID_Start XIDS",
     "A|wcwAj^g^a^bt^|^Mmaikbd^^^Cxb^_``^^c^^`^^^q^Bl^D`eD{^Aa_^cAdB`xaaAhAfA^_^B|^^l_d_g`_^m^^{z"
     "Brh^u~f_a^bsa^f^`^tvdhbu^cnAeAuAq`^o^dglmae___s^d^^`a`^m^j_^`k_g^eca__s^d^_^_^_|a^^p`mf^`^s"
     "^d^_^b`^o^l_t^he___s^d^_^b`^{_^`l^n^^c``^a`_^^^_`_```is^Aoe^`^t^m`^w`_^__{^ae^`^t^g^b`^|_^_"
     "l_nf^`^Ad_^m^b`e`ucbo`u^f^^_dAuAk^^jdAu_^^^b^u^^^g^^g^_b^^ra}^Aze^A_xbCjAfq^mcaa`^`_d`aji^n"
     "Aa^^b^_Af^Ix^a_d^^^a_Ad^a_~^a_d^^^a_l^At^a_A~A`mmBo_c`Re_n^wbBd`hdojpkokj^`lAoA^^a^A~BrdAd^"
     "^bB_g|Al{_bhAgawAqtfApBk^BvAjneAq{j_gAgwA_Ad`gA__fdAf_`Ada^c^_`^bEsA{Hc_c_Aa_c_e^^^^^^^|_Ap"
     "^d^^``^d`a_cajb`^dCk^j^mjB~^a^_g^^_cc^^^^^^m_abba^nAdBVxFvca`_iAa^^b^_Asd^mtfd^d^d^d^d^d^d^"
     "dPc`vfdb_baBoc`^Bs^abAf^Bwn}AkmO_FY{A{WGtA~Ai_G|`mg_qAjm|_BiAbf_C^_A{b_^^^bum^`^a^tzAokAmAy"
     "c`^^_hygtvzdAjy^mb^ggb^Adt`^eqt`^`Am^^`__b_^^^u`_hd`ic_c_cfd^d^Af^kcCjzKTqitaAlHXqJw_CaAadi"
     "bb^^g^j^b^^^_^_^Cc~D`cFkoA{_AqAcgCn^^^`^^^^^^^^CuA_wcwhAs_|`c_c_c_`A^i^w^p^_^l_kA]CrB^ApGzz"
     "`AlAj}j{bAag{_A_ae^bAeDsoA_aA_aAceAoih^l^d^_^h^l^d^_A~Ibfsgeuc^Ae^fB^c_^^Ag^_`^_tgtf|A|p^_g"
     "sgwB_Asc_A{^la^`^zAez`zA^e^yxAqgsgpjoCeBbArAnjAnjA_JeAec_Bgzg^esAeoAirxtiApAt__^jAh}vwA_z^_"
     "^eA^`^iAkkar^^^A^o^vp_Azd^^^a^l^gdAjAae___s^d^_^b`^o^ibDsApoaq`{Akq_^^EkAjAdaA_Akq^AvAfj^B`"
     "xA`dElAgCkA{|e_^_e^_^ul^^^Bwe_Abm^^^y^gAcd^r^hAip^oBbGvf^A`n^Al{Cgd^_^Aar^vc^_^}k^Irpl^^j^A"
     "]Cs^Bh[aC]CfnEwBUoBzlAConcDFjQbIA|Pvd|nBhn{oAkma|rbpTeA{CwBdb^A}jA{_^^yFLmeAHkAefIJxa^d^_^H"
     "pl^z`_^kaeKsBK{Cbbj`fdgFHcBn^B`^__^___a^i^^^d^A|^a_e^d^y^a^b^^`d^J]_v^v^|^v^|^v^|^v^|^v^eAZ"
     "e|ccGtAyDgAhgdm^Il{oAgNeyVed^a^_^l^ExAvB]d^AGka^x^_^^_^^g^a^^^^c^a^^^^^^`^_^^_^^^^^^^^^^_^^"
     "_a^d^a^a^^^g^nb`^b^nDR]APXm}DJccFo_FAmkGWxCGfO}APgEEfbDKg"},
    {ECMA_BINARY, "ASCII", "]Cw"},
    {ECMA_BINARY, "Any", "]AMVH]"},
    {ECMA_BINARY, "Assigned",
     "]Za_cad^^^q^Kt^Aa_Am_`^ArexachG}^Aw_B~kAv_Al_l^y_^^hb|^_cF}^e___s^d^^`a_f___ae^a_^b_v_`^ca_"
     "_s^d^_^_^__^^ba__``^da^^dng`^f^`^s^d^_^b_g^`^`_^la_idd^`^e___s^d^_^b_f___`d`a_^b_og_^c``^a`"
     "_^^^_`_```iab``^a_^c^krbj^`^t^m_f^`^ad_^`_^_a_gds^`^t^g^b_f^`^ad_c_^a_g^`ij^`^An^`^cam_w^`^"
     "o`u^f^^_d`^ac^^^ecg_`iAuazA`_^^^b^u^^^t_b^^^d^g_a}Ba^A_aAb^A_^l^jA`Ey^^b^_K`^a_d^^^a_Ad^a_~"
     "^a_d^^^a_l^At^a_A~_}`wcBo_c_St`Brdsfufqij^`^_iBw_gcgcwcBrdAfbB_g|^iaia^`Ae_bhAgawch`Ay_A|^z"
     "_hcgck_|AlBf`Aj^CkeAw`l`AwdAf_heAfbOu_c_Aa_c_e^^^^^^^|_Ap^l^k_c^p_`^f^B~^i_x^j`~l~lDaaSnvhr"
     "AYg_}^JfbAh^^b^_Asd_kufd^d^d^d^d^d^d^d^CuA]w^BriFgwiaA{^Bo_C^bAf^Bw^BmiAj^ABUp`ArfJeqEkeE~b"
     "_^^^buAv`gcAseB_eicCkh{`Bg^ha~^Arfk_g_C^uygc_c_cfd^d^AwaCu_gcKTqitaAlaIGe_CaAadibbw^b^^^_^_"
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
     "^dekafdfdDh^ArA`gABgAPXm}DJccFo_FAmkGWxCGfO}APgEEfbDKgZSRb^{ByCwG_BLH}BLWm_BLWm"},
};
/* clang-format on */

const unsigned ecma_property_n_binary = sizeof ecma_property_binary / sizeof *ecma_property_binary;
