import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, openViewer, violationsOf } from '../support/browser.ts';
import { createRepository } from '../support/repository.ts';
import { useSettings } from '../support/team-settings.ts';

const row = (page: Page, section: string, name: string) =>
  page
    .getByRole('region', { name: section })
    .getByRole('listitem')
    .filter({ has: page.getByLabel(name, { exact: true }) });

describe.skipIf(CHROMIUM === undefined)('the settings', () => {
  it('change the user’s own file and nothing of the team’s, and show where each value comes from', async () => {
    const repository = createRepository();
    useSettings(repository, 'briefing:\n  tokens: 700\n');
    const { page, complaints } = await openViewer(repository, { place: '#/settings' });
    const value = async (key: string) => JSON.parse(await repository.call('config', key, '--json'));
    const tokens = row(page, 'briefing', 'tokens');
    await tokens.getByText('the team’s file').waitFor();
    await tokens.getByRole('textbox').fill('800');
    await page.keyboard.press('Enter');
    await tokens.getByText('your file').waitFor();
    expect(await value('briefing.tokens')).toMatchObject({ value: 800, origin: 'user' });
    await tokens.getByRole('button', { name: 'Reset briefing.tokens' }).click();
    await tokens.getByText('the team’s file').waitFor();
    expect(await tokens.getByRole('textbox').inputValue()).toBe('700');

    await row(page, 'recall', 'read').getByRole('checkbox').uncheck();
    await row(page, 'recall', 'read').getByText('your file').waitFor();
    await row(page, 'general', 'summaries').getByRole('combobox').selectOption('turn');
    await row(page, 'general', 'summaries').getByText('your file').waitFor();
    await row(page, 'capture', 'skip_tools').getByRole('textbox').fill('Bash, Read');
    await page.keyboard.press('Tab');
    await row(page, 'capture', 'skip_tools').getByText('your file').waitFor();
    expect((await value('recall.read')).value).toBe(false);
    expect((await value('summaries')).value).toBe('turn');
    expect((await value('capture.skip_tools')).value).toEqual(['Bash', 'Read']);
    expect(repository.git('status', '--porcelain', '--untracked-files=all').trim()).toBe('?? .memory/config.yaml');
    expect(complaints).toEqual([]);
  });

  it('say why a value is refused, and can be reset', async () => {
    const { page } = await openViewer(createRepository(), { place: '#/settings' });
    const [idle, tokens] = [row(page, 'capture', 'idle_after'), row(page, 'briefing', 'tokens')];
    await idle.getByRole('textbox').fill('soon');
    await page.keyboard.press('Tab');
    await idle.getByRole('alert').getByText('30m').waitFor();
    expect(await idle.getByRole('textbox').inputValue()).toBe('30m');
    // An empty field is no order to take the setting out.
    await tokens.getByRole('textbox').fill('');
    await page.keyboard.press('Tab');
    await tokens.getByRole('alert').waitFor();
    expect(await tokens.getByRole('textbox').inputValue()).toBe('1000');
    await tokens.getByText('default').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('show what the environment decides, and what a viewer may not change, without letting it be changed', async () => {
    const { page } = await openViewer(createRepository(), { place: '#/settings' });
    const provider = row(page, 'extract', 'provider');
    await provider.getByText('GIT_MEM_EXTRACT_PROVIDER').waitFor();
    expect(await provider.getByRole('combobox').isDisabled()).toBe(true);
    expect(await row(page, 'extract', 'api_key_command').getByRole('textbox').isDisabled()).toBe(true);
  });
});
