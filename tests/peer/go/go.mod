// SPDX-License-Identifier: BSD-2-Clause
module stranger

go 1.19
