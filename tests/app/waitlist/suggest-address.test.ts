import { expect, test } from "vitest";
import { suggestAddress } from "#app/waitlist/sign-up/suggest-address.ts";

test.each([
  ["ada@gmial.com", "ada@gmail.com"],
  ["ada@gmaill.com", "ada@gmail.com"],
  ["ada@gmail.co", "ada@gmail.com"],
  ["ada@gmail.con", "ada@gmail.com"],
  ["ada@gmial.con", "ada@gmail.com"],
  ["ada@googlemial.com", "ada@googlemail.com"],
  ["ada@hotmial.com", "ada@hotmail.com"],
  ["ada@hotmail.co.ku", "ada@hotmail.co.uk"],
  ["ada@yaho.co.uk", "ada@yahoo.co.uk"],
  ["ada@outlok.com", "ada@outlook.com"],
  ["ada@protonmial.com", "ada@protonmail.com"],
  ["ada@my-stall.co.yk", "ada@my-stall.co.uk"],
  ["ada@craft.ogr", "ada@craft.org"],
  // Invalid addresses
  ["ada@gmail", "ada@gmail.com"],
  ["ada@gmail,com", "ada@gmail.com"],
  ["ada@gmail..com", "ada@gmail.com"],
  ["ada@gmailcom", "ada@gmail.com"],
  // What surrounds the domain stays, in the form that is stored.
  ["  Ada+Fair@GMIAL.com ", "ada+fair@gmail.com"],
  ["zoë@gmial.com", "zoë@gmail.com"],
  ["\u200bo’brien@gmial.com\u00a0", "o'brien@gmail.com"],
])("corrects %j to %s", (typed, suggestion) => expect(suggestAddress(typed)).toBe(suggestion));

test.each([
  ...["gmail.com", "googlemail.com", "hotmail.co.uk", "yahoo.co.uk", "icloud.com", "proton.me"],
  // Real domains of large providers, close to others
  ...["mail.com", "email.com", "ymail.com", "gmx.com", "gmx.de", "web.de", "me.com", "mac.com", "msn.com"],
  ...["aol.com", "aol.co.uk", "live.com", "live.co.uk", "live.fr", "sky.com", "hey.com", "pm.me", "qq.com"],
  ...["hotmail.fr", "hotmail.de", "hotmail.it", "hotmail.es", "outlook.de", "outlook.fr", "outlook.cz", "outlook.cl"],
  ...["yahoo.ca", "yahoo.de", "yahoo.fr", "yahoo.co.in", "yahoo.co.nz", "yahoo.com.au", "protonmail.ch"],
  ...["mail.ru", "yandex.ru", "libero.it", "orange.fr", "t-online.de", "telia.se", "zoho.com", "zoho.eu"],
  // Rare but real domains and endings
  ...["example.com", "waitlist-site.example", "ao.com", "bolt.com", "cloud.com", "love.com", "life.com", "mall.com"],
  ...["radio.fm", "example.cm", "example.om", "example.co", "craft.studio", "fair.market", "stall.shop", "tv.me"],
  ...["example.cam", "example.pet", "example.ong", "example.community", "example.nec", "cs.ox.ac.uk", "gov.uk"],
])("leaves %s alone", (domain) => expect(suggestAddress(`ada@${domain}`)).toBeUndefined());

test.each([
  [undefined],
  [42],
  [["ada@gmial.com"]],
  [""],
  ["@gmial.com"],
  ["ada@b@gmial.com"],
  ["a b@gmial.com"],
  ["ada@gmial.com\nbcc:eve@gmial.com"],
  ["<ada@gmial.com"],
  [`${"a".repeat(65)}@gmial.com`],
  [`ada@${"x".repeat(400)}.con`],
  ["\ud800@gmial.com"],
  ["ada@.con"],
])("suggests nothing for %j", (typed) => expect(suggestAddress(typed)).toBeUndefined());
