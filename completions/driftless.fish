# Completion for fish.
function __driftless_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process) (commandline --cut-at-cursor --current-token)
    driftless complete -- $words[2..-1] 2>/dev/null
end
complete --command driftless --no-files --arguments '(__driftless_complete)'
