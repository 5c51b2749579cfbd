import { findActor } from '../../src/domain/auth/find-actor.ts'
import { serveBare } from '../support/serve-bare.ts'

// The query of GET /auth/me.
serveBare((pool, user) => () => findActor(pool, user))
