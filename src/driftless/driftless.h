// Everything a user needs: state equations, check them, solve them.
#pragma once

#include "driftless/equations/convert.h"
#include "driftless/equations/index1_model.h"
#include "driftless/equations/index2_model.h"
#include "driftless/equations/index3_model.h"
#include "driftless/equations/index_check.h"
#include "driftless/equations/mechanical_model.h"
#include "driftless/integrate/adaptive_radau.h"
#include "driftless/integrate/solve.h"
#include "driftless/tableau/conditions.h"
#include "driftless/tableau/properties.h"
