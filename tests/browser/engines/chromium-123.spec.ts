import { testSiteIn } from "#tests/browser/engines/every-engine.ts";
import { chromium123 } from "#tests/support/engines/puppeteer.ts";

testSiteIn(chromium123);
