# Completion for bash. Installed where bash-completion finds it, or by hand: source driftless.bash
_driftless() {
  local IFS=$'\n' rest=${COMP_LINE:0:COMP_POINT} word=${COMP_WORDS[COMP_CWORD]} words=() glued=no i
  # bash splits words at : and =, which belong to problem:NAME and --option=value; put them together again.
  rest=${rest#*"${COMP_WORDS[0]}"}
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    [[ $i -gt 1 && $rest != [[:space:]]* ]] && glued=yes || glued=no
    if [[ $glued == yes ]]; then words[-1]+=${COMP_WORDS[i]}; else words+=("${COMP_WORDS[i]}"); fi
    rest=${rest#*"${COMP_WORDS[i]}"}
  done
  local whole=${words[-1]-}
  mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null)
  # Only what follows the last break of bash is replaced on the line.
  local kept=${whole%"$word"}
  [[ $word == [:=] ]] && kept=$whole
  COMPREPLY=("${COMPREPLY[@]#"$kept"}")
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _driftless driftless
