/** TABLE: how a project gets a sandbox where it is built and tested: the files that `init --ci` writes. */
import { packageVersion } from "../../package-version.ts";
import { SETTINGS_FILE } from "./first-files.ts";

/** A file that `init --ci` writes; its path is relative to the project's folder. */
export interface CiFile {
  readonly file: string;
  readonly text: () => string;
}

/** TABLE: the file of each choice of `--ci`. */
export const ciFiles = {
  github: { file: ".github/workflows/payments-sandbox.yaml", text: ciJob },
  "github-service": { file: ".github/workflows/payments-sandbox-service.yaml", text: serviceJob },
  compose: { file: "compose.payments-sandbox.yaml", text: composeFile },
  testcontainers: { file: "payments-sandbox.testcontainers.ts", text: testcontainersModule },
} as const satisfies Readonly<Record<string, CiFile>>;

/** The credentials of every world with seed 1, which can therefore be written into files. */
const credentials = {
  PAYMENTS_CLIENT_ID: "acme-71oz22pge4vkesg0",
  PAYMENTS_CLIENT_SECRET: "secret-883wkfwm3echdaaa90nwinmydkbc72pt",
  PAYMENTS_SIGNING_KEY: "d8cdfa1feb38f4a4a2cea1697bea05016070d12e11cf200e73947eb35bc23186",
} as const;

/** The environment variables of a merchant's program, as lines of YAML. */
function environment(baseUrl: string, indent: string): string {
  const variables = { PAYMENTS_BASE_URL: baseUrl, ...credentials };
  return Object.entries(variables)
    .map(([name, value]) => `${indent}${name}: ${value}`)
    .join("\n");
}

/** The beginning of a GitHub Actions workflow. */
const JOB_HEAD = `name: payments
on: [push, pull_request]
jobs:
  payments:
    runs-on: ubuntu-latest
`;

/** The first steps of each job: checks out and installs the project. */
const PROJECT_STEPS = `    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: npm ci
`;

/** A GitHub Actions job: plays the scenarios, then runs the project's own tests against the service. */
function ciJob(): string {
  return `${JOB_HEAD}${PROJECT_STEPS}      - name: Check the scenarios and play them
        run: |
          npx --yes payments-sandbox check scenarios
          npx --yes payments-sandbox run scenarios
      - name: Start the sandbox
        run: |
          npx --yes payments-sandbox --settings ${SETTINGS_FILE} --log json > payments-sandbox.log &
          until npx --yes payments-sandbox health; do sleep 1; done
        timeout-minutes: 2
      - name: Run the tests against it
        run: npm test
        env:
${environment("http://127.0.0.1:4400", "          ")}
`;
}

/** A GitHub Actions job with the sandbox as a service container. */
function serviceJob(): string {
  return `${JOB_HEAD}    services:
      payments-sandbox:
        # What "docker build" makes of the Dockerfile of payments-sandbox, where you have pushed it to.
        image: ghcr.io/your-organisation/payments-sandbox:${packageVersion()}
        ports:
          - 4400:4400
        # A program of this job gets webhooks where it listens on all addresses.
        options: --add-host host.docker.internal:host-gateway
        env:
          PAYMENTS_SANDBOX_POSTBACK_URL: http://host.docker.internal:3000/webhooks
${PROJECT_STEPS}      # The service is healthy before the first step: its image has a health check.
      - run: npm test
        env:
${environment("http://127.0.0.1:4400", "          ")}
`;
}

/** The sandbox beside a program in Docker Compose. */
function composeFile(): string {
  return `# The sandbox beside your program: docker compose -f compose.payments-sandbox.yaml up
# Its image is made in a checkout of payments-sandbox: docker build -t payments-sandbox .
services:
  payments-sandbox:
    image: payments-sandbox
    environment:
      PAYMENTS_SANDBOX_POSTBACK_URL: http://app:3000/webhooks
    ports:
      # The dashboard, for this machine alone: http://127.0.0.1:4400
      - 127.0.0.1:4400:4400
    volumes:
      # Worlds outlive the container; without this line they are kept in memory.
      - payments-sandbox:/data

  app:
    build: .
    environment:
${environment("http://payments-sandbox:4400", "      ")}
    depends_on:
      payments-sandbox:
        condition: service_healthy

volumes:
  payments-sandbox:
`;
}

/** A Testcontainers module that starts a sandbox for one test run. */
function testcontainersModule(): string {
  return `// A sandbox for a test run: npm install --save-dev testcontainers payments-sandbox
// Its image is made in a checkout of payments-sandbox: docker build -t payments-sandbox .
import { connectSandbox } from "payments-sandbox";
import { GenericContainer, Wait } from "testcontainers";

/** Starts it; worlds for single tests come from \`sandbox.createWorld()\`. */
export async function startSandboxContainer() {
  const container = await new GenericContainer("payments-sandbox")
    .withExposedPorts(4400)
    .withEnvironment({ PAYMENTS_SANDBOX_CLOCK: "frozen" })
    // Webhooks to http://host.docker.internal:PORT reach a receiver of the tests that listens on all addresses.
    .withExtraHosts([{ host: "host.docker.internal", ipAddress: "host-gateway" }])
    .withWaitStrategy(Wait.forHealthCheck())
    .start();
  const url = \`http://\${container.getHost()}:\${container.getMappedPort(4400)}\`;
  return { container, sandbox: await connectSandbox(url) };
}
`;
}
