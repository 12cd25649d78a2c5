# The sandbox in a container: docker build -t payments-sandbox . && docker run -p 127.0.0.1:4400:4400 payments-sandbox

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Nothing is compiled: the image has no Python, and not every npm knows that SQLite comes ready. Node comes by its script.
RUN npm ci --ignore-scripts && npm rebuild node
COPY . .
RUN npm run build
RUN npm prune --omit=dev --ignore-scripts
RUN mkdir /data

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production PAYMENTS_SANDBOX_HOST=0.0.0.0
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/bin ./bin
COPY --from=build /app/fixtures ./fixtures
COPY --from=build /app/scenarios ./scenarios
RUN ln -s /app/bin/payments-sandbox.js /usr/local/bin/payments-sandbox
# A new volume takes the owner of the folder that it is mounted on.
COPY --from=build --chown=node:node /data /data
USER node
EXPOSE 4400
HEALTHCHECK --interval=5s --timeout=5s --start-period=10s CMD ["payments-sandbox", "health"]
# Worlds are kept in /data where a volume is mounted there, else in memory.
ENTRYPOINT ["/bin/sh", "-c", "if mountpoint -q /data; then export PAYMENTS_SANDBOX_DATA=\"${PAYMENTS_SANDBOX_DATA:-/data}\"; fi; exec payments-sandbox \"$@\"", "payments-sandbox"]
