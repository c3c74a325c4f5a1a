// A line of three turns into itself and back: always three cells.
// expect s = 3
function nextGeneration
  input Integer M[:,:]; output Integer G[size(M,1),size(M,2)];
protected
  Integer borderSum, iW, iN, iE, iS; Integer rowDim = size(M,1), colDim = size(M,2);
algorithm
  for i in 1:rowDim loop
    iN := mod(i-1+rowDim-1, rowDim)+1;
    iS := mod(i-1+rowDim+1, rowDim)+1;
    for j in 1:colDim loop
      iW := mod(j-1+colDim-1, colDim)+1;
      iE := mod(j-1+colDim+1, colDim)+1;
      borderSum := M[iN,iE] + M[iN,j] + M[iN,iW] + M[i,iW] + M[iS,iW] + M[iS,j] + M[iS,iE] + M[i,iE];
      if borderSum == 3 then G[i,j] := 1;
      elseif borderSum == 2 then G[i,j] := M[i,j];
      else G[i,j] := 0; end if;
    end for;
  end for;
end nextGeneration;
model GameOfLife
  parameter Integer n = 5; parameter Integer initialAlive[:,2] = {{3,2},{3,3},{3,4}};
  Integer lifeHistory[n,n](each start=0); Integer s;
initial algorithm
  lifeHistory := zeros(n,n);
  for r in 1:3 loop lifeHistory[initialAlive[r,1], initialAlive[r,2]] := 1; end for;
equation
  when sample(0.1,0.1) then lifeHistory = nextGeneration(pre(lifeHistory)); end when;
  s = sum(lifeHistory);
  annotation(experiment(StopTime=0.5));
end GameOfLife;
