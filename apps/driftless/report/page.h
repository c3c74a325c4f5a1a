// A report as one HTML file that needs nothing else: no network, no other file.
#pragma once

#include "apps/driftless/report/report_run.h"

namespace driftless::cli {

// Down-sampled where there is more than a page can hold; the file says so, and stays below about 15 MB per page.
std::string report_page(const std::vector<ReportRun>& runs);

// The page around any data that its script knows how to show.
std::string page_with(const std::string& title, const Json& data);

// The parts of the page, made from web/ when the program is built (cmake/page.cmake).
extern const char* const page_style;
extern const char* const page_script;

}  // namespace driftless::cli
