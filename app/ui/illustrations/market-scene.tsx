import { Lights } from "#app/ui/illustrations/lights.tsx";
import { Backdrop } from "#app/ui/illustrations/market-backdrop.tsx";
import { Person } from "#app/ui/illustrations/person.tsx";
import { Picture } from "#app/ui/illustrations/picture.tsx";
import { Stall } from "#app/ui/illustrations/stall.tsx";

/**
 * The market seen from its path: sunny in the light theme, under string lights in the dark theme. Uses `SharedParts`.
 *
 * Narrow viewports crop it at both sides, to 680 units below 576 px and to 1200 below 1200 px. What a crop would cut
 * has a class and is hidden there. Between the inner posts the upper 115 units stay empty, for the words.
 */
export function MarketScene() {
  return (
    <Picture className="market" viewBox="0 0 1440 460" preserveAspectRatio="xMidYMax slice">
      <Backdrop />
      <Stall at="translate(648 296)scale(.42)" hue="gold" goods="prints" />
      <Stall at="translate(800 292)scale(.4)" hue="green" goods="pots" />
      <Person at="translate(742 300)scale(.42)" hue="clay" skin="2" />
      <Stall at="translate(528 352)scale(.78)" hue="clay" goods="scarves" />
      <Stall at="translate(926 350)scale(.76)" hue="gold" goods="pots" />
      <Person at="translate(704 366)scale(.74)" hue="green" />
      <Person at="translate(752 368)scale(.7)" hue="gold" skin="3" />
      <Lights from={[400, 128]} to={[1040, 128]} sag={64} bulbs={10} />
      <g className="from-576">
        <Stall at="translate(262 432)scale(1.28)" hue="green" goods="pots" />
        <Stall at="translate(1186 432)scale(1.28)" hue="clay" goods="prints" />
      </g>
      <g className="from-1200">
        <Person at="translate(92 436)scale(1.1)" hue="clay" />
        <Lights from={[30, 74]} to={[400, 44]} sag={64} bulbs={6} />
        <Lights from={[1040, 44]} to={[1410, 74]} sag={64} bulbs={6} />
      </g>
      <Person at="translate(452 440)scale(1.12)" hue="gold" skin="2" />
      <Person at="translate(980 446)scale(1.14)" hue="green" skin="3" />
    </Picture>
  );
}
