// The first two dimensions change places.
// expect B[1,2,1] = 7
// expect B[3,1,2] = 6
// expect n = 3
model M
  parameter Real A[2,3,2] = {{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}};
  Real B[3,2,2] = transpose(A);
  Integer n = size(B, 1);
end M;
