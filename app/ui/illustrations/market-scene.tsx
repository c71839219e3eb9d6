import { Lights } from "#app/ui/illustrations/lights.tsx";
import { Backdrop } from "#app/ui/illustrations/market-backdrop.tsx";
import { Customer, Florist, HandedPot, Host, Potter } from "#app/ui/illustrations/market-people.tsx";
import { Buckets, Crate, Dog } from "#app/ui/illustrations/market-things.tsx";
import { Person } from "#app/ui/illustrations/person.tsx";
import { Picture } from "#app/ui/illustrations/picture.tsx";
import { Stall } from "#app/ui/illustrations/stall.tsx";

/**
 * The market seen from its path: sunny in the light theme, under string lights in the dark theme. Uses `SharedParts`.
 *
 * Narrow viewports crop it at both sides, to 720 units below 576 px and to 1260 below 1200 px. What a crop would cut
 * has a class and is hidden there, or moves. Between the inner posts the upper 115 units stay empty, for the words.
 */
export function MarketScene() {
  return (
    <Picture className="market" viewBox="0 0 1440 460" preserveAspectRatio="xMidYMax slice">
      <Backdrop />
      <Stall at="translate(648 296)scale(.42)" hue="gold" goods="prints" />
      <Stall at="translate(800 292)scale(.4)" hue="green" goods="scarves" />
      <Person at="translate(742 300)scale(.42)" hue="clay" skin="2" />
      <g className="from-576">
        <Stall at="translate(538 352)scale(.78)" hue="clay" goods="jewellery">
          <Person at="translate(40 -8)" hue="green" />
        </Stall>
        <Stall at="translate(906 350)scale(-.76 .76)" hue="green" goods="bread">
          <Person at="translate(40 -8)" hue="clay" skin="3" />
        </Stall>
      </g>
      <g className="from-576">
        <Person at="translate(688 374)scale(.8)" hue="green" />
        <Person at="translate(726 376)scale(.56)" hue="gold" />
        <Dog />
      </g>
      <Lights from={[400, 128]} to={[1040, 128]} sag={64} bulbs={10} />
      <g className="from-1200">
        <Lights from={[30, 74]} to={[400, 44]} sag={64} bulbs={6} />
        <Lights from={[1040, 44]} to={[1410, 74]} sag={64} bulbs={6} />
        <Person at="translate(1386 440)scale(1.25)" hue="clay" skin="3" />
      </g>
      <g className="left-side">
        <g transform="translate(242 444)scale(1.45)">
          <Stall hue="clay" goods="pots">
            <Potter />
          </Stall>
          <Customer />
          <HandedPot />
          <Crate />
        </g>
      </g>
      <g className="right-side">
        <g transform="translate(1198 444)scale(-1.45 1.45)">
          <Stall hue="gold" goods="flowers">
            <Florist />
          </Stall>
          <Host />
          <Buckets />
        </g>
      </g>
    </Picture>
  );
}
