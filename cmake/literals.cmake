# Text as C++ string literals. They may be limited in length, so a text becomes many of them.

function(driftless_literals variable text)
  string(LENGTH "${text}" length)
  set(literals "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 12000 part)
    string(APPEND literals "R\"text~(${part})text~\"\n")
    math(EXPR at "${at} + 12000")
  endwhile()
  set(${variable} "${literals}" PARENT_SCOPE)
endfunction()
