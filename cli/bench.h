/* SPDX-License-Identifier: MIT
 *
 * forma bench WHAT: measurements. Each takes argv[0] = its own name and returns the exit status.
 */
#ifndef FORMA_CLI_BENCH_H
#define FORMA_CLI_BENCH_H

int bench_masks(int argc, char **argv);

#endif
