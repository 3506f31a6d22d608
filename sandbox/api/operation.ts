import { type z } from 'zod/v4'

/** One operation of the broker's API, by its operationId. */
export type Operation = {
	id: string
	summary: string
	/** True when no token is needed. Every other operation needs one. */
	isPublic?: boolean
	/** True when a dormant client may call it too. */
	isOpenToDormant?: boolean
	/** True when the session of a report link may call it too: the calls of the profit and loss page. */
	isOpenToLinks?: boolean
	/** True when the operation itself checks whether the account is being closed. Every other change is refused then. */
	isOpenToClosing?: boolean
	/** True when it moves money or securities, or writes: it enforces Idempotency-Key. */
	changes?: boolean
	query?: z.ZodObject
	body?: z.ZodObject
	/** The file fields of the body, which is then a multipart form. */
	uploads?: readonly string[]
	areUploadsRequired?: boolean
	/** The schema of `data`. An operation that returns a file has `files` instead, or both when it can return either. */
	data?: z.ZodType
	/** Fields of the reply beside `data`. */
	beside?: z.ZodObject
	files?: string[]
}
