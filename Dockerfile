# syntax=docker/dockerfile:1
# The portal and the sandbox broker in one image: `node build/server.js` (the default) or `node build/sandbox.js`.
# docker build -t khata . && docker image inspect khata --format '{{.Size}}'

FROM node:20-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts && npm rebuild esbuild
COPY . .
RUN npm run build

FROM node:20-bookworm-slim AS packages
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=65536
WORKDIR /srv/portal
COPY --from=packages /src/node_modules node_modules
COPY --from=build /src/package.json ./
COPY --from=build /src/build build
# The portal writes no files, so run it with a read-only file system. The sandbox writes only to SANDBOX_DATA_DIR, and to no file when
# DATABASE_URL is set.
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
	CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-old-space-size=512", "--max-semi-space-size=16", "--heap-growing-percent=15", "build/server.js"]
