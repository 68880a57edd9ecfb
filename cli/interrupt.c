/* SPDX-License-Identifier: MIT */
#include "cli/interrupt.h"

#include <signal.h>
#include <string.h>

/* Set by the signal handler, polled elsewhere: a handler has no other way to be heard. */
static volatile bool interrupted;

static void on_interrupt(int number) {
    (void)number;
    interrupted = true;
}

void interrupt_catch(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupt_came(void) {
    return interrupted;
}

const volatile bool *interrupt_flag(void) {
    return &interrupted;
}
