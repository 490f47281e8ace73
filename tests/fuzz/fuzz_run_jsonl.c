/* SPDX-License-Identifier: Apache-2.0 */
/* The run format 'jsonl': whatever loads is written as JSONL and reads back the same. */
#include "run_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return run_target("jsonl", data, size);
}
