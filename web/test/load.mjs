// SPDX-License-Identifier: Apache-2.0
// The package that is tested: build/web/package, or HANJI_PACKAGE.
import { pathToFileURL } from "node:url";

export const root = new URL("../../", import.meta.url);
const folder = process.env.HANJI_PACKAGE
  ? pathToFileURL(`${process.env.HANJI_PACKAGE}/`) : new URL("build/web/package/", root);
export const load = (name) => import(new URL(name, folder));
