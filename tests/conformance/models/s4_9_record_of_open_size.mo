// The size of a field follows from its value.
// expect s = 3
record T Real v[:] = {1,2}; end T;
model M T t; Real s = sum(t.v); end M;
