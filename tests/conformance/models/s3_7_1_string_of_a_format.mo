// Formats as C has them, without the per cent sign; String(i, n) is a length for an Integer, and digits for a Real.
// expect ends: [1.50][1.5000e+00][   1.5][0007][7    ][    7][2][two][true ][+1.5]
model M
  type Kind = enumeration(one, two);
  Real x(start = 0, fixed = true);
  Integer n = if x > 1 then 7 else 6;
  Kind k = if x > 1 then Kind.two else Kind.one;
equation
  der(x) = 1;
  when x >= 1.5 then
    terminate("[" + String(x, format = ".2f") + "][" + String(x, ".4e") + "][" +
      String(x, minimumLength = 6, leftJustified = false, significantDigits = 3) + "][" + String(n, format = "04d") +
      "][" + String(n, 5) + "][" + String(n, 5, false) + "][" + String(x + 0.1, 1) + "][" + String(k) + "][" +
      String(x > 1, minimumLength = 5) + "][" + String(x, "+.1f") + "]");
  end when;
  annotation(experiment(StopTime = 3));
end M;
