# Compiles SOURCE with CXX and expects an error of ten lines at most, in which every line "// expects: words" of SOURCE is found.

execute_process(COMMAND "${CXX}" -std=c++20 -fsyntax-only -Wall -Wextra -Wno-psabi -I "${INCLUDE}" "${SOURCE}"
  RESULT_VARIABLE result ERROR_VARIABLE said OUTPUT_VARIABLE said)
message("${said}")
if(result EQUAL 0)
  message(FATAL_ERROR "${SOURCE} was compiled, although it is wrong")
endif()

string(REGEX REPLACE "[^\n]" "" newlines "${said}")
string(LENGTH "${newlines}" lines)
message("${lines} lines")
if(lines GREATER 10)
  message(FATAL_ERROR "more than ten lines")
endif()

file(STRINGS "${SOURCE}" expected REGEX "^// expects: ")
if(NOT expected)
  message(FATAL_ERROR "${SOURCE} does not say what it expects")
endif()
foreach(words IN LISTS expected)
  string(REPLACE "// expects: " "" words "${words}")
  string(FIND "${said}" "${words}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "nothing is said of: ${words}")
  endif()
endforeach()
