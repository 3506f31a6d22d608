import { type MouseEvent, useState } from 'react'
import { Icon } from './icon'
import { createFileCounter } from '~/lib/zip-files'
import { isPlainClick } from './link-interception'
import { goToLogin, TO_LOGIN_MS } from './to-login'
import { showToast } from './toast'

type Props = {
	href: string
	/** The link's text: `PDF`, `Excel`, `CSV`, `ZIP`, `Download`. */
	label: string
	/** What several files with the same label differ in: `of Equity`. Only screen readers and text browsers say it. */
	about?: string
	/** What the file is, for the messages: `LEDGER`, `2025-2026`. */
	type: string
	flag: string
	/** The message at the end, when it is not `{type} {flag} is downloaded successfully`. */
	done?: string
	/** `main`: the main action of its page. `cell`: in a table. `format`: in a table that has a column for each format. */
	look?: 'plain' | 'button' | 'main' | 'cell' | 'format'
}

/** The last one of a row ends where the table below does. */
const DOWNLOAD =
	'last:-mr-1 hover:bg-primary/8 inline-flex min-h-10 items-center gap-1.5 rounded px-1 text-sm no-underline aria-busy:cursor-progress aria-busy:opacity-70'

/** A link in a table that has a column for each format: as wide as its column. */
export const CELL = 'inline-flex w-full items-center max-sm:min-h-10 pointer-coarse:min-h-10'

const LOOKS = {
	plain: DOWNLOAD,
	button: 'btn',
	main: 'btn btn-primary no-underline!',
	cell: undefined,
	format: CELL,
}

/**
 * A plain link that works without a script. It has no `download` attribute, because a browser would then save the page that a refused
 * download redirects to. With a script the person stays on the page and sees the progress.
 */
export function DownloadLink({ href, label, about, type, flag, done, look = 'plain' }: Props) {
	const [isBusy, setBusy] = useState(false)

	async function download(event: MouseEvent) {
		if (!isPlainClick(event)) return
		event.preventDefault()
		if (isBusy) return
		setBusy(true)
		try {
			await saveFile(href, `${type} ${flag}`, done)
		} catch {
			showToast({ kind: 'error', message: `${type} ${flag} could not be downloaded. Check your connection and try again.` })
		} finally {
			setBusy(false)
		}
	}

	return (
		<a href={href} onClick={download} className={LOOKS[look]} aria-busy={isBusy || undefined}>
			{look !== 'cell' && look !== 'format' && <Icon name="down" />}
			<span>
				{label}
				<span className="sr-only">
					{about && ` ${about}`}: {type.toLowerCase()} {flag === label ? '' : flag}
				</span>
			</span>{' '}
		</a>
	)
}

async function saveFile(href: string, what: string, success = `${what} is downloaded successfully`): Promise<void> {
	const message = `${what} is being downloaded...`
	showToast({ kind: 'loading', message, progress: -1 })
	const response = await fetch(href, { redirect: 'manual', headers: { accept: 'application/octet-stream', 'x-download': 'fetch' } })
	// A redirect to another page (maintenance, re-KYC): the browser goes there, as with the plain link. It is not a file.
	if (response.type === 'opaqueredirect') return location.assign(href)
	if (!response.ok || !response.body) {
		const said = (await response.json().catch(() => ({}))) as { message?: string; location?: string }
		if (said.location) return leave(said.location, said.message)
		return showToast({ kind: 'error', message: said.message ?? `${what} could not be downloaded.` })
	}

	const total = Number(response.headers.get('content-length'))
	const files = Number(response.headers.get('x-files'))
	const count = createFileCounter()
	let counted = 0
	let told = 0
	const chunks: BlobPart[] = []
	let done = 0
	let shown = 0
	for (const reader = response.body.getReader(); ;) {
		const { value } = await reader.read()
		if (!value) break
		chunks.push(value)
		done += value.length
		if (files) counted = count(value)
		// Updates the message after each 4 % of a file, after each 250 kB if its length is unknown, and after each file of a bundle.
		if (done - shown < (total ? total / 25 : 250_000) && counted === told) continue
		told = counted
		shown = done
		const detail = total ? `${formatMegabytes(done)} of ${formatMegabytes(total)} MB` : `${formatMegabytes(done)} MB so far`
		if (files) showToast({ kind: 'loading', message, detail: `${counted} of ${files} files, ${detail}`, progress: counted / files })
		else showToast({ kind: 'loading', message, detail, progress: total ? done / total : -1 })
	}

	const link = document.createElement('a')
	link.href = URL.createObjectURL(new Blob(chunks, { type: response.headers.get('content-type') ?? '' }))
	link.download = readFileName(response.headers.get('content-disposition')) ?? ''
	link.click()
	setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
	showToast({ kind: 'success', message: success })
}

const formatMegabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)

/** The session is over: shows the broker's reason if there is one; else the login page shows it. */
function leave(to: string, message?: string): void {
	if (!message) return goToLogin(to)
	showToast({ kind: 'error', message })
	setTimeout(() => goToLogin(to), TO_LOGIN_MS)
}

function readFileName(disposition: string | null): string | undefined {
	const encoded = disposition?.match(/filename\*=UTF-8''([^;]+)/i)?.[1]
	return encoded ? decodeURIComponent(encoded) : disposition?.match(/filename="?([^";]+)/i)?.[1]
}
