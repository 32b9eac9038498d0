" SPDX-License-Identifier: BSD-2-Clause
autocmd BufNewFile,BufRead *.lad setfiletype rung
