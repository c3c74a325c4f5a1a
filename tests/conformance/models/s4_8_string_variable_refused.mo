// expect refused: variables of type String are not covered
model M
  String s;
equation
  s = if time > 1 then "late" else "early";
end M;
