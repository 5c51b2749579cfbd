// Loaded before anything else by the scripts of package.json. It is JavaScript that old versions
// understand, since their error for the first TypeScript file does not explain the reason.
const MINIMUM_MAJOR = 24
const [major] = process.versions.node.split('.')
if (Number(major) < MINIMUM_MAJOR) {
  process.stderr.write(
    `Node ${MINIMUM_MAJOR} or newer is needed and this is ${process.version}. ` +
      '"npm ci" installs one as node_modules/.bin/node, which "npm start" uses; it does not where ' +
      '--omit=optional is given, or where there is none for this platform.\n',
  )
  process.exit(1)
}
