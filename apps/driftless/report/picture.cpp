#include "apps/driftless/report/picture.h"

#include "apps/driftless/report/base64.h"

namespace driftless::cli {

namespace {

const char* name_of(Curve::Style style) {
  switch (style) {
    case Curve::Style::points: return "points";
    case Curve::Style::guide: return "guide";
    default: return "line";
  }
}

Json curve_json(const Curve& curve) {
  Json object = {
      {"label", curve.label}, {"style", name_of(curve.style)}, {"x", base64(curve.x)}, {"y", base64(curve.y)}};
  if (curve.color >= 0) object["color"] = curve.color;
  if (!curve.names.empty()) object["names"] = curve.names;
  if (curve.shape > 0) object["shape"] = curve.shape;
  if (!curve.shown) object["show"] = false;
  return object;
}

}  // namespace

Json picture_json(const Picture& picture) {
  Json curves = Json::array();
  for (const Curve& curve : picture.curves) curves.push_back(curve_json(curve));
  return {{"title", picture.title}, {"x", picture.x},         {"y", picture.y},       {"log_x", picture.log_x},
          {"log_y", picture.log_y}, {"plane", picture.plane}, {"note", picture.note}, {"curves", std::move(curves)}};
}

}  // namespace driftless::cli
