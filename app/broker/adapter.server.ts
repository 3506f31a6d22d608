import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { untilAborted } from '~/lib/until-aborted'
import { describeError } from './failures.server'
import { type Service } from './service'

/*
 * An adapter is a module of the deployer (BROKER_ADAPTER). It translates between the portal and a broker whose API differs from the
 * contract. Guide for its authors: docs/adapters/README.md.
 */

/** One call to the broker. An adapter may change every field except `path` and `service`, which only name the requested operation. */
export type AdapterCall = {
	/** The path in the contract, such as /v2/user/login. */
	readonly path: string
	readonly service: Service
	method: string
	/** The whole address: base address, path and query. */
	url: URL
	headers: Headers
	/** JSON as text, an upload as a stream, or nothing. */
	body?: string | ReadableStream<Uint8Array>
}

/** Sends a call over the network. Rejects when the broker cannot be reached; pass that on. */
export type SendCall = (call: AdapterCall) => Promise<Response>

/**
 * Answers a call of the portal as the contract says. An error that it throws counts as a failure of the broker (502), never as the end of a
 * session.
 */
export type Adapter = (call: AdapterCall, send: SendCall) => Promise<Response> | Response

/** Why an adapter failed, for the log. */
export class AdapterFailure extends Error {
	override name = 'AdapterFailure'
}

/**
 * The adapter in a file, whose path is relative to the working directory; undefined without a path. Throws an Error of one line that names
 * BROKER_ADAPTER when the file is missing, does not load, or has no function as its default export.
 */
export async function loadAdapter(file: string | undefined): Promise<Adapter | undefined> {
	if (file === undefined) return undefined
	const absolute = path.resolve(file)
	if (!existsSync(absolute)) throw new Error(`BROKER_ADAPTER: there is no file ${file}`)
	const module = (await import(/* @vite-ignore */ pathToFileURL(absolute).href).catch((error: unknown) => {
		throw new Error(`BROKER_ADAPTER: ${file} does not load: ${describeError(error)}`)
	})) as { default?: unknown }
	if (typeof module.default !== 'function') throw new Error(`BROKER_ADAPTER: ${file} has no function as its default export`)
	return module.default as Adapter
}

/**
 * The reply of an adapter. Rejects with the error of `send` unchanged, so that a lost connection is still recognised; with the reason of
 * `signal` once that is aborted; and with an AdapterFailure for every other error in the adapter.
 */
export async function runAdapter(adapter: Adapter, call: AdapterCall, send: SendCall, signal: AbortSignal): Promise<Response> {
	const lost = new Set<unknown>()
	const sendOn: SendCall = (changed) =>
		send(changed).catch((error: unknown) => {
			lost.add(error)
			throw error
		})
	try {
		const reply: unknown = await untilAborted(Promise.resolve(adapter(call, sendOn)), signal)
		if (isResponse(reply)) return reply
	} catch (error) {
		if (signal.aborted || lost.has(error)) throw error
		throw new AdapterFailure(describeError(error))
	}
	throw new AdapterFailure('The adapter returned no Response')
}

/** Not `instanceof`: hono's server replaces the global Response, and an adapter may have kept the first one. */
function isResponse(reply: unknown): reply is Response {
	return typeof reply === 'object' && reply !== null && 'status' in reply && 'headers' in reply && 'body' in reply && 'ok' in reply
}
