// Streams are refused where they are declared.
// expect refused: s15_1_stream_refused.mo:6:3: error: stream variables of connectors are not covered
connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model M
  Port a;
equation
  a.p = 1;
end M;
