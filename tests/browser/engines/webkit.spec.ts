import { testSiteIn } from "#tests/browser/engines/every-engine.ts";
import { webkit } from "#tests/support/engines/webkit.ts";

testSiteIn(webkit);
