// An array of outputs and the inputs of an array of components.
// expect i[2].y = 2
connector RI = input Real; connector RO = output Real;
block I RI u; RO y(start=0, fixed=true); equation der(y) = u; end I;
block C RO y[2]; equation y = {1, 2}; end C;
model M C c; I i[2]; equation connect(c.y, i.u); annotation(experiment(StopTime=1)); end M;
