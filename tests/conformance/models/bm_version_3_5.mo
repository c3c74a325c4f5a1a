//! base 3.5.0
// The version line may name Modelica itself.
// expect y = 4
package 'M'
model 'M'
  Real y = 4;
  annotation(experiment(StopTime = 1));
end 'M';
end 'M';
