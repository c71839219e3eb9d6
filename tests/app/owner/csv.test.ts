import { expect, test } from "vitest";
import { csvLine } from "#app/owner/csv.ts";

test("writes an RFC 4180 line with every cell quoted and quotes doubled", () => {
  expect(csvLine([1, "ada@example.com", null, true, 'a "b", c\r\nd', "é"])).toBe(
    '"1","ada@example.com","","true","a ""b"", c\r\nd","é"\r\n',
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\n=1", " =1", "＝1+1", "＠A1", "\u00a0=1"])(
  "%j is escaped so that it is not a formula",
  (value) => {
    expect(csvLine([value])).toBe(`"'${value}"\r\n`);
  },
);

test.each(["ada@example.com", "a=b", "1-2", "'quoted", ""])("%j is not changed", (value) => {
  expect(csvLine([value])).toBe(`"${value}"\r\n`);
});

test("numbers are not escaped", () => {
  expect(csvLine([-1])).toBe('"-1"\r\n');
});
