// Runge-Kutta methods as data: those that come with the library, own ones from numbers, what they are good for, and
// whether they satisfy the conditions of the theorems.
#pragma once

#include "driftless/tableau/conditions.h"
#include "driftless/tableau/families.h"
#include "driftless/tableau/properties.h"
