import PdfDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { createTextWriter } from './pdf-text'

test('a letter with a mark that no font has is written without it; a letter of another script as ?', () => {
	const writer = createTextWriter(new PdfDocument())
	const measure = (text: string) => writer.measureWidth(text, 'text', 10)
	expect(measure('Pāṇḍuraṅga')).toBe(measure('Pānduranga'))
	expect(measure('ā')).not.toBe(measure('?'))
	expect(measure('குமார்')).toBeCloseTo(6 * measure('?'), 6)
})
