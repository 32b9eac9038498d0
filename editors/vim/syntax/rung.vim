" SPDX-License-Identifier: BSD-2-Clause
" Test cases of rung (*.lad); docs/case-language.md is the reference.
if exists("b:current_syntax")
  finish
endif

syntax match rungComment /\%(^\|\s\)#.*$/ contains=@Spell
syntax match rungHead /^\%(title\|ref\|family\|covers\|violates\|profile\|for\|exclusive\|\s*needs\)\>/
syntax match rungChair /^chair\s\+\%(target\|initiator\)\>/
syntax match rungChair /^impaired\s\+[a-z0-9-]\+/
syntax match rungSend /^\s*>/
syntax match rungExpect /^\s*\%(any\s*{\s*\)\?</
syntax match rungStep /^\s*\%(use\|base\|post\|respond\|configure\|wait\|let\|spray\|check\|never\|any\|one\|each\|or\|acked\)\>/
syntax match rungReport /^\s*\%(delivered\|received\|responded\|returned\|completed\|failed\|error\|paused\|resumed\|eager\|unresponsive\)\>/
syntax match rungImpair /^\s*\%(drop\|duplicate\|delay\|hold\|reorder\|corrupt\|rewrite\|mark_ce\|trim\|inject\)\>/
syntax keyword rungModifier within after lost exact optional once flight for until next nth cut via times refusable refused
syntax match rungField /\<[a-z_][a-z0-9_.]*\ze\%(=\|!=\|>=\|<=\)/
syntax match rungSymbol /\$[a-z_][a-z0-9_]*/
syntax match rungNumber /\<\%(0x[0-9a-fA-F]\+\|[0-9]\+\%(\.[0-9]\+\)\?\%(ns\|us\|ms\|s\)\?\)\>/
syntax match rungId /\[[^]]*\]/
syntax match rungId /\<[A-Z][A-Z0-9]*\%(-[A-Z0-9]\+\)*-[0-9]\+[a-z]*\>/
syntax match rungText /\%(^title\|^ref\)\@<=\s.*$/ contains=@Spell
syntax match rungBar /|/

highlight default link rungComment Comment
highlight default link rungHead PreProc
highlight default link rungChair Structure
highlight default link rungSend Statement
highlight default link rungExpect Conditional
highlight default link rungStep Keyword
highlight default link rungReport Function
highlight default link rungImpair Exception
highlight default link rungModifier Type
highlight default link rungField Identifier
highlight default link rungSymbol Special
highlight default link rungNumber Number
highlight default link rungId Tag
highlight default link rungText String
highlight default link rungBar Delimiter

let b:current_syntax = "rung"
