import { get } from 'node:http'

export type Taking = { bytesASecond: number; /** Closes the connection after this time. */ leaveAfterMs?: number }

/** Reads a file at a limited speed, like a phone. Returns the number of bytes read. */
export function takeFile(url: string, cookie: string, { bytesASecond, leaveAfterMs }: Taking): Promise<number> {
	return new Promise((resolve, reject) => {
		const request = get(url, { headers: { cookie, 'sec-fetch-site': 'same-origin' } }, (answer) => {
			if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`))
			const started = performance.now()
			let bytes = 0
			answer.on('data', (part: Buffer) => {
				bytes += part.length
				const early = (bytes / bytesASecond) * 1000 - (performance.now() - started)
				if (leaveAfterMs !== undefined && performance.now() - started > leaveAfterMs) {
					request.destroy()
					resolve(bytes)
				} else if (early > 5) {
					answer.pause()
					setTimeout(() => answer.resume(), early)
				}
			})
			answer.on('end', () => resolve(bytes))
			answer.on('error', (error) => (leaveAfterMs === undefined ? reject(error) : resolve(bytes)))
		})
		request.on('error', (error) => (leaveAfterMs === undefined ? reject(error) : undefined))
	})
}
