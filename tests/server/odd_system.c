/* SPDX-License-Identifier: Apache-2.0 */
/* Prints its port and serves until it is killed; its argument is a file that gets a line for
 * each request.  What it answers is in odd_system.h. */
#include "odd_system.h"

int main(int argc, char **argv)
{
    FILE *log = fopen(argc > 1 ? argv[1] : "/dev/null", "a");
    int port = 0;
    int s = odd_listen(&port);

    if (!log || s < 0) {
        perror("odd_system");
        return 1;
    }
    printf("%d\n", port);
    fflush(stdout);
    odd_serve(s, log);
}
