#!/bin/sh
# git-mem: written by `git mem init`, taken out by `git mem uninstall`.
# Hands this event of Cline to git-mem. Cline blocks the work when a hook fails: this one lets everything pass.

reply=''
case $0 in
  */*)
    # The folder of this file is .clinerules/hooks; the launcher lies in .memory at the top.
    if CDPATH='' cd -P -- "${0%/*}/../.." 2>/dev/null && [ -f .memory/hook ]; then
      reply=$(sh ./.memory/hook cline "${0##*/}" 2>/dev/null)
    fi
    ;;
esac
# What nobody read is read here: a pipe that breaks would be a failure, too.
cat >/dev/null 2>&1
case $reply in
  '{"cancel":false'*'}') printf '%s\n' "$reply" ;;
  *) printf '%s\n' '{"cancel":false}' ;;
esac
exit 0
