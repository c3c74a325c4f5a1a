// The one place that knows gnuplot: a program of its own (Debian: gnuplot-nox), which draws what a script says.
#pragma once

#include <string>

namespace driftless::cli {

// Stop unless the ending is .svg, .png or .gif, and gnuplot is there.
void require_gnuplot(const std::string& path);

// `set terminal ...` for the ending of the name, with a size in pixels; .gif is animated, with so many frames a second.
std::string terminal_for(const std::string& path, int width, int height, int frames_per_second = 20);

// A text for a script, in quotes, whatever it holds.
std::string gnuplot_text(const std::string& text);

// The picture that a script draws: gnuplot prints it, and gets to see no name of a file. `path` is for messages.
std::string gnuplot_picture(const std::string& script, const std::string& path);

}  // namespace driftless::cli
