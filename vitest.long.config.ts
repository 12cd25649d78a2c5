import { defineConfig } from "vitest/config";
import quick from "./vitest.config.ts";

/** What takes longer: crashes, full disks, huge files, other languages, the dashboard under adversity. */
export default defineConfig({ test: { ...quick.test, include: ["test/**/*.long.test.ts"], exclude: [] } });
