import { testSiteIn } from "#tests/browser/engines/every-engine.ts";
import { firefox } from "#tests/support/engines/puppeteer.ts";

testSiteIn(firefox);
