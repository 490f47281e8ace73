/* SPDX-License-Identifier: Apache-2.0 */
/* Every way to ask somebody else's system, in the order help shows them. */
#ifndef ASSAY_RETRIEVE_SYSTEM_ROSTER_H
#define ASSAY_RETRIEVE_SYSTEM_ROSTER_H

#define ASSAY_SYSTEM_ROSTER(X) \
    X(command)                 \
    X(http)                    \
    X(file)

#endif
