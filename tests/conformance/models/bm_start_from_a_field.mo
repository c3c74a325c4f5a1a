//! base 0.1.0
// expect x = 4
package 'P'
  record 'R'
    Real 'p';
  end 'R';
  model 'P'
    parameter 'R' 'r'('p' = 3.0);
    Real 'x'(start = 'r'.'p', fixed = true);
  equation
    der('x') = 1.0;
  end 'P';
end 'P';
