import { Lights } from "#app/ui/illustrations/lights.tsx";
import { Backdrop } from "#app/ui/illustrations/market-backdrop.tsx";
import { People, Person } from "#app/ui/illustrations/people.tsx";
import { Picture } from "#app/ui/illustrations/picture.tsx";
import { Stall, StallParts } from "#app/ui/illustrations/stall.tsx";

/** The market seen from its path: sunny in the light theme, under string lights in the dark theme. */
export function MarketScene() {
  return (
    <Picture className="market" viewBox="0 0 1440 460" preserveAspectRatio="xMidYMax slice">
      <defs>
        <radialGradient id="glow">
          <stop stopColor="var(--lamp-light)" stopOpacity=".75" />
          <stop offset=".35" stopColor="var(--bulb-glow)" stopOpacity=".28" />
          <stop offset="1" stopColor="var(--bulb-haze)" stopOpacity="0" />
        </radialGradient>
        <StallParts />
        <People />
      </defs>
      <Backdrop />
      <Stall at="translate(648 296)scale(.42)" hue="gold" goods="prints" />
      <Stall at="translate(800 292)scale(.4)" hue="green" goods="pots" />
      <Person at="translate(742 300)scale(.42)" hue="clay" skin="2" />
      <Stall at="translate(528 352)scale(.78)" hue="clay" goods="scarves" />
      <Stall at="translate(926 350)scale(.76)" hue="gold" goods="pots" />
      <Person at="translate(704 366)scale(.74)" hue="green" />
      <Person at="translate(752 368)scale(.7)" hue="gold" skin="3" />
      <Stall at="translate(262 432)scale(1.28)" hue="green" goods="pots" />
      <Stall at="translate(1186 432)scale(1.28)" hue="clay" goods="prints" />
      <Stall at="translate(-40 470)scale(1.5)" hue="gold" goods="scarves" />
      <Stall at="translate(1480 470)scale(1.5)" hue="green" goods="scarves" />
      <Person at="translate(452 440)scale(1.12)" hue="gold" skin="2" />
      <Person at="translate(980 446)scale(1.14)" hue="green" skin="3" />
      <Lights from={[-30, 20]} to={[420, 40]} sag={110} bulbs={7} />
      <Lights from={[420, 40]} to={[1020, 40]} sag={150} bulbs={10} />
      <Lights from={[1020, 40]} to={[1470, 20]} sag={110} bulbs={7} />
    </Picture>
  );
}
