# The service alone: PostgreSQL, object storage and mail are servers of their own.
# Builds that have to be repeatable name a digest: --build-arg NODE_IMAGE=node@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# What is optional is an embedded PostgreSQL and a Node for machines that have neither.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force
# What the image is made of, for whoever looks for packages with known holes.
RUN npm sbom --package-lock-only --omit=dev --omit=optional --sbom-format=cyclonedx > sbom.cdx.json
# Half of what packages bring is for who develops with them: maps, types and prose, but no licences.
RUN find node_modules -type f ! -iname 'licen[cs]e*' ! -iname 'notice*' \
  \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' -o -name '*.markdown' \) \
  -delete

FROM ${NODE_IMAGE}
ARG NODE_IMAGE
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="administration-service" \
  org.opencontainers.image.description="Takes messy files and forms and turns them into typed PostgreSQL tables" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.base.name="${NODE_IMAGE}"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 WORKER_PORT=3000 DATA_DIR=/data LOG_STREAM=stdout
# Whoever it runs as: a user without a name has no home, and libraries look into it.
ENV HOME=/ NODE_COMPILE_CACHE=/app/.compile-cache
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=dependencies /app/sbom.cdx.json ./
COPY package.json ./
COPY pipelines pipelines
COPY src src
COPY migrations migrations
COPY seeds seeds
COPY deploy/container deploy/container
# Whoever it runs as writes here as a member of group 0. Only documents that are in no bucket need it.
RUN mkdir .compile-cache /data && chown node:0 .compile-cache /data && chmod 2775 /data
VOLUME /data
# By number, so that a cluster can tell that it is not root; any other user of group 0 will do.
USER 1000:0
# Half of the time of a start is for compiling what is compiled here: the service, and what commands begin with.
RUN node -e 'import("/app/src/load-rooms.ts").then(({ loadRooms }) => loadRooms()).then(() => process.exit())' \
  && node src/cli/start.js ingest --help > /dev/null && echo 'a,b' | node src/cli/start.js inspect - > /dev/null
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "/app/deploy/container/health-check.js"]
# Node itself in the end, so that it gets the signals and its exit code is the container's.
ENTRYPOINT ["sh", "/app/deploy/container/entrypoint.sh"]
CMD ["serve"]
