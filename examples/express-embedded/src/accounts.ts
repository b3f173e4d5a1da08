/**
 * The users of the app and their sessions: registration, login, a cookie. Kept in memory.
 */
import { createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"
import express, { type Request, type RequestHandler, type Response, type Router } from "express"

export interface User {
  readonly email: string
  phone?: string
  /** The verification that was started last. */
  verification?: string
}

interface Credentials {
  readonly email: string
  readonly password: string
}

const SESSION_LIFETIME = 7 * 24 * 3_600_000
const COOKIE = "session"
const derive = promisify<string, Buffer, number, Buffer>(scrypt)

export class Accounts {
  private readonly users = new Map<string, { readonly user: User; readonly salt: Buffer; readonly hash: Buffer }>()
  // By the digest of their token: what leaks from here opens nothing.
  private readonly sessions = new Map<string, { readonly user: User; readonly expires: number }>()
  private readonly signedInAs = new WeakMap<Request, User>()

  /** `POST /register`, `POST /login` and `POST /logout`. */
  readonly routes = (): Router => {
    const router = express.Router()

    router.post("/register", async (request, response) => {
      const given = credentials(request.body)
      if (given === null)
        return void response.status(400).json({ error: "an email and a password of 12 to 200 characters" })
      const salt = randomBytes(16)
      const hash = await derive(given.password, salt, 32)
      if (this.users.has(given.email)) return void response.status(409).json({ error: "this email is taken" })
      const user = { email: given.email }
      this.users.set(given.email, { user, salt, hash })
      this.open(response.status(201), user)
    })

    router.post("/login", async (request, response) => {
      const given = credentials(request.body)
      const known = given === null ? undefined : this.users.get(given.email)
      // Takes as long for an unknown email.
      const hash = await derive(given?.password ?? "", known?.salt ?? randomBytes(16), 32)
      if (known === undefined || !timingSafeEqual(hash, known.hash)) {
        return void response.status(401).json({ error: "wrong email or password" })
      }
      this.open(response, known.user)
    })

    router.post("/logout", (request, response) => {
      this.sessions.delete(digest(tokenOf(request)))
      response.clearCookie(COOKIE, cookie).status(204).end()
    })

    return router
  }

  /** Lets those pass who have a session, and refuses the rest. */
  readonly signedIn: RequestHandler = (request, response, next) => {
    const session = this.sessions.get(digest(tokenOf(request)))
    if (session === undefined || session.expires <= Date.now()) {
      return void response.status(401).json({ error: "log in first" })
    }
    this.signedInAs.set(request, session.user)
    next()
  }

  /** Who asks, behind `signedIn`. */
  readonly userOf = (request: Request): User => {
    const user = this.signedInAs.get(request)
    if (user === undefined) throw new Error("this route is not behind signedIn")
    return user
  }

  private open(response: Response, user: User): void {
    const token = randomBytes(32).toString("base64url")
    this.sessions.set(digest(token), { user, expires: Date.now() + SESSION_LIFETIME })
    response.cookie(COOKIE, token, { ...cookie, maxAge: SESSION_LIFETIME }).json({ email: user.email })
  }
}

// Lax keeps other sites from posting in a user's name.
const cookie = { httpOnly: true, sameSite: "lax", secure: process.env.NODE_ENV === "production" } as const

const tokenOf = (request: Request): string => request.headers.cookie?.match(/(?:^|; )session=([\w-]+)/)?.[1] ?? ""

const digest = (token: string): string => createHash("sha256").update(token).digest("base64url")

const credentials = (body: unknown): Credentials | null => {
  if (typeof body !== "object" || body === null || !("email" in body) || !("password" in body)) return null
  const { email, password } = body
  if (typeof email !== "string" || typeof password !== "string") return null
  const sound = /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(email) && password.length >= 12 && password.length <= 200
  return sound ? { email: email.toLowerCase(), password } : null
}
