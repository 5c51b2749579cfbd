# What a container runs: a command of the product (serve, worker, migrate …), or a program by its path or
# one of those that one looks around with. Each takes the place of this shell, and so its signals.
set -eu
case "${1:-serve}" in
  sh | bash | node | npm | npx | /*) exec "$@" ;;
  *) exec node /app/src/cli/start.js "${@:-serve}" ;;
esac
