"""Boilerplate blocks: consent, newsletters, log-in, adverts, suggestions."""

from __future__ import annotations

import re

_ADVERT = re.compile(
    r"^\W{0,3}(?:ad|ads|advert|advertisement|advertising|advertorial|sponsored|promoted|promotion"
    r"|paid (?:post|content|partnership)|partner content|anzeige|werbung|gesponsert|publicité"
    r"|annonce|sponsorisé|contenu sponsorisé|publicidad|anuncio|patrocinado|publicidade|pubblicità|sponsorizzato"
    r"|advertentie|gesponsord|annons|reklame|reklam|mainos|reklama|sponsorowane|реклама"
    r"|на правах рекламы|διαφήμιση|hirdetés|publicitate|広告|スポンサー|ＰＲ|\[?pr\]?|广告|廣告|赞助|광고|إعلان|פרסומת"
    r"|iklan|quảng cáo|โฆษณา)(?:\b|$|\W)|sponsored by|presented by|ad closes in|why this ad",
    re.IGNORECASE,
)
_KINDS: tuple[tuple[str, int, re.Pattern[str]], ...] = (
    ("advertisement", 40, _ADVERT),
    (
        "consent",
        90,
        re.compile(
            r"^(?=.*(?<![a-z])cookies?(?![a-z]))(?=.*(?:使用|利用|許可|允许|接受|同意|설정|사용)|.*\b(?:accept|reject|declin|agree|allow|we use|uses?|using|polic|settings|preferences"
            r"|consent|experience|privacy|web ?site|this site|browser|manage|akzeptier|ablehn|verwend|nutz|einwillig|einstellung"
            r"|utilis|accept|refus|param|usa|utiliz|acept|rechaz|aceit|recus|accett|rifiut|gebruik|accepteer|weiger|använd"
            r"|godkän|bruger|bruker|käyt|hyväks|używ|akceptuj|použív|souhlas|használ|folos))"
            r"|\bconsent\b|\bgdpr\b|\btraceurs\b|cookie-|クッキー|同意する|файлы cookie|файли cookie|çerez|ciasteczk",
            re.IGNORECASE,
        ),
    ),
    (
        "newsletter",
        45,
        re.compile(
            r"newsletter|never miss a (?:story|post|thing)|^(?:get |receive |recevez|inscrivez|recibe|suscr|ricevi|iscriv|receba|assine|ontvang|meld je|otrzymuj|zapisz|получайте|подпишитесь|jeden |jede woche|wöchentlich)(?:(?!\b(?:not|nicht|pas|non|não|niet|nie|не)\b).){0,80}(?:e-?mail|\bmail\b|inbox|correo|buzón|courriel|casella|skrzynk|почт)|メールで(?:お届け|受け取)|发送到(?:您的)?邮箱|mailing list|your inbox|in your inbox|e-?mail updates|subscribe to|sign up for (?:our|the)"
            r"|rundbrief|lettre d.information|infolettre|boletín|suscríbete|assine (?:a|nossa)"
            r"|iscriviti alla|nieuwsbrief|nyhetsbrev|nyhedsbrev|uutiskirje|biuletyn|newsletteru"
            r"|рассылк|розсилк|bülten|hírlevél|メールマガジン|メルマガ|ニュースレター|邮件订阅|電子報|订阅我们|뉴스레터"
            r"|النشرة البريدية|نشرتنا|ניוזלטר|buletin",
            re.IGNORECASE,
        ),
    ),
    (
        "account",
        9,
        re.compile(
            r"^(?:log ?in|log ?out|sign ?(?:in|up|out)|my (?:account|basket|cart|orders|profile)|create (?:an )?account"
            r"|register|hello|hi|hey|welcome(?: back)?|good (?:morning|afternoon|evening|night|day)|anmelden|abmelden|einloggen"
            r"|mein konto|hallo|willkommen|guten (?:morgen|tag|abend)|se connecter|connexion|déconnexion|mon compte|bonjour|bonsoir"
            r"|bonne (?:journée|soirée)|¡?(?:hola|buen(?:os|as) (?:días|tardes|noches))|bom dia|boa (?:tarde|noite)|bem-vind[oa]|bienvenid[oa]|bienvenue|benvenut[oa]|buona? ?(?:giorno|sera|pomeriggio)|goede(?:morgen|middag|navond|n? ?avond)|god (?:morgon|morgen|dag|kväll|kveld|aften)|hyvää (?:huomenta|päivää|iltaa)|dzień dobry|dobry wieczór|dobr[éý] (?:ráno|den|večer)|добр(?:ое|ый|ого) (?:утро|день|вечер|ранку)|здравствуйте|привет|günaydın|iyi (?:günler|akşamlar)|merhaba|おはよう|こんにちは|こんばんは|ようこそ|(?:早上|上午|中午|下午|晚上)好|您?你?好[，,]|欢迎|歡迎|안녕하세요|환영합니다|iniciar sesión|cerrar sesión|mi cuenta|hola|buenos días|entrar|sair|minha conta|olá|accedi|esci|il mio account|ciao|buongiorno"
            r"|inloggen|uitloggen|mijn account|welkom|logga (?:in|ut)|mina sidor|log (?:ind|ud)|logg (?:inn|ut)|zaloguj|wyloguj|moje konto|witaj"
            r"|přihlásit|odhlásit|войти|выйти|вход|личный кабинет|увійти|вийти|giriş yap|çıkış|ログイン|ログアウト|マイページ|おはようございます|登录|退出|登入|登出|我的账户|로그인|로그아웃|تسجيل)"
            r"(?:\b|\W|$)",
            re.IGNORECASE,
        ),
    ),
    (
        "chat",
        18,
        re.compile(
            r"live[ -]?chat|chat (?:with us|now|to us|starten)|start (?:a )?chat|need help\?|how can (?:we|i) help|talk to (?:us|an expert)"
            r"|agents? (?:is|are) online|we are online|brauchen sie hilfe|können wir helfen|besoin d.aide|¿necesitas ayuda|precisa de ajuda|hai bisogno di aiuto|hulp nodig|нужна помощь"
            r"|お困りですか|チャットで|在线客服|채팅",
            re.IGNORECASE,
        ),
    ),
    (
        "sharing",
        8,
        re.compile(
            r"^(?:share|tweet|pin it|copy link|print|follow us|like us|e-?mail this|send to|save for later|bookmark|teilen|drucken|folgen sie|link kopieren|partager|imprimer|suivez|copier le lien"
            r"|compartir|imprimir|síguenos|compartilhar|siga|condividi|stampa|seguici|delen|afdrukken|dela|skriv ut|del |udostępnij|drukuj|sdílet|поделиться|распечатать|поширити|paylaş|yazdır"
            r"|シェア|ツイート|分享|공유|شارك)(?:\b|\W|$)",
            re.IGNORECASE,
        ),
    ),
    (
        "prompt",
        25,
        re.compile(
            r"(?:download|get|install|open in|try|better in) (?:our|the) app\b|\bios (?:and|und|et|y|e|en|och|i|и|および|和) android\b|app store|google play|(?:tell us|your (?:opinion|feedback)).{0,40}(?:minutes?|survey)|(?:ihre|deine) meinung|votre avis nous|tu opinión|la tua opinione|a sua opinião|jouw mening|twoja opinia|ваше мнение|アンケート|问卷|(?:allow|enable|turn on|get) (?:push |browser )?notifications|add to home screen|take (?:our|a) (?:short )?survey|rate (?:this page|us)"
            r"|(?:was|is) (?:this|the) (?:page|article|answer|information|content|topic|helpful|useful)|(?:was|is) (?:this|the) \w+ (?:help|use)ful|how (?:help|use)ful|did you find this|enable javascript|javascript (?:is|must be)|skip to (?:main )?content|loading ?(?:…|\.\.\.)|please wait|(?:disable|turn off) your ad ?blocker"
            r"|unsere app|push-?benachrichtigungen|war (?:diese seite|dieser artikel) hilfreich|télécharger l.appli|activer les notifications|descarga (?:la|nuestra) app|activar notificaciones|scarica l.app|アプリをダウンロード|下载(?:我们的)?(?:app|应用)",
            re.IGNORECASE,
        ),
    ),
)
_CONSENT_PAGE = re.compile(
    r"cookie|privacy|datenschutz|confidentialit|privacidad|privacidade|riservatezza", re.IGNORECASE
)
_IN_BRACKETS = re.compile(r"[(（][^()（）]{0,20}[)）]")
_MONEY = re.compile(r"[$€£¥₹₽]\s?\d|\d\s?[€£¥₹₽]")

_STRONG = re.compile(
    r"\b(?:(?:read|see|watch|check) (?:also|next|too|more)|lesen sie (?:auch|mehr)|mehr dazu|lee también|leer también|leggi anche|leia (?:também|mais)|lees ook|czytaj (?:też|także)|čtěte také|related|recommend\w*|suggested|suggestions|sponsored|promoted|similar|(?:last|recently|previously) (?:viewed|seen|visited)|laatst bekeken|(?:people|others|customers|shoppers|visitors|guests|readers|users|members|fans|buyers) (?:\w+ ){0,2}(?:view|look|watch|brows|read|buy|lov|like|enjoy|bought|search|order|shar|talk|book)(?:ed|ing|s)?|tweets?|posts? on (?:x|twitter|facebook|instagram)|(?:you|we|others|people|customers|shoppers|readers|users) (?:may|might|also|who|like|love|bought|viewed|think|could)"
    r"|also (?:bought|viewed|like|liked|read|enjoy|see|consider)|frequently bought|bought together|pairs? (?:well )?with|goes (?:well )?with|complete (?:the|your) (?:look|set)|inspired by|from (?:the|around the) web|from our partners|more like this|read next|up next|watch next|keep reading|most (?:read|viewed|popular|shared|commented|watched)"
    r"|(?:quote|tip|word|photo|picture|thought|fact|deal|joke|poll|question|recipe|verse|song) of the (?:day|week|month)|of the (?:day|week|month)|des (?:tages|monats)|der woche|du jour|de la semaine|du mois|del día|de la semana|del mes|del giorno|della settimana|del mese|do dia|da semana|do mês|van de (?:dag|week|maand)|dnia|tygodnia|miesiąca|dne|týdne|(?:совет|слово|факт|фото|рецепт|товар) (?:дня|недели)|(?:previous|next) (?:post|article|story|entry)|(?:vorheriger|nächster) (?:artikel|beitrag)|article (?:précédent|suivant)|on this day|did you know|daily deals?|just for you|picked for you|you missed|don.t miss|discover more|explore more|(?:editor.?s|staff|our) picks?"
    r"|ähnliche|passende|passend dazu|empfehlungen|empfohlen\w*|verwandte|kunden (?:kauften|sahen|haben)|auch (?:gekauft|angesehen|interessant|interessieren|gefallen)|das könnte|dazu passt|zuletzt (?:angesehen|besucht)|ihr verlauf|d[ée]j[àa] (?:vue?s?|consult[ée]e?s?)|vue?s r[ée]cemment|has visto|vistos? (?:recientemente|recentemente)|visti di recente|senast (?:visade|besökta)|senest sete?|sist sett|ostatnio (?:oglądane|przeglądane)|naposledy (?:zobrazené|navštívené)|недавно просмотренн\w*|вы смотрели|where you left off|jobs like this|other petitions|meistgelesen\w*|meistgesehen|zitat des|tipp des|wort des|spruch des|bild des|schon gewusst|wussten sie"
    r"|à lire aussi|lire aussi|voir aussi|similaires|associés|recommandé\w*|suggestions|vous aimerez|vous pourriez|(?:ont|avez) (?:aussi|également) (?:acheté|consulté|aimé)|souvent achetés|les plus (?:lus|vus|partagés)|récemment consultés|citation du|photo du|mot du jour|le saviez"
    r"|relacionad[oa]s|recomendad[oa]s|recomendamos|recomendaciones|también (?:te|compraron|vieron|podría|puede)|te puede|te podría|quizás te|similares|vistos recientemente|lo más (?:leído|visto)|frase del|cita del|foto del|sabías que"
    r"|também (?:compraram|viram|pode|gost)|você (?:também|pode)|poderá gostar|recomendaç\w+|mais (?:lidas|lidos|vistos)|frase do dia|sabia que|correlati|consigliat\w+|potrebbe\w* (?:anche )?(?:interessart|piacert)\w*|ti potrebbe|simili|chi ha (?:acquistato|visto)|acquistati insieme|i più (?:letti|visti)|citazione del|lo sapevi"
    r"|gerelateerd\w*|aanbevolen|vergelijkbare|anderen (?:bekeken|kochten)|ook (?:interessant|bekeken|gekocht|leuk)|meest (?:gelezen|bekeken)|wist je|quote van de|relaterade?|liknande|rekommender\w*|andra (?:köpte|tittade)|mest (?:läst|lest|læst)a?e?|läs (?:också|även)|les også|læs også|lignende|anbefal\w+|relaterte?|samankaltais\w+|suosittel\w+|lue myös"
    r"|podobne|polecane|polecamy|powiązane|zobacz (?:także|też|również)|inni (?:kupili|oglądali)|najczęściej czytane|cytat dnia|czy wiesz|podobné|související|doporuč\w+|mohlo by vás|nejčtenější|citát dne|víte,? že|похожие|рекоменд\w+|с этим (?:товаром )?(?:покупают|также)|вас (?:может|могут) заинтересовать|читайте также|по теме|самое читаемое|цитата дня|вы смотрели|смотрите также|знаете ли вы"
    r"|схожі|рекоменд\w+|читайте також|вас може|benzer|önerilen|ilginizi çekebilir|bunlar(?:ı)? da|birlikte alınan|en çok okunan|günün sözü|biliyor muydunuz|παρόμοια|σχετικά|προτειν\w+|δείτε επίσης|hasonló|ajánlott|kapcsolódó|ezt is|legolvasottabb|similare|recomandate|asemănătoare|citește și|cele mai citite)\b"
    r"|(?:今日|本日|今週|今月)の|每日|今日|本周|上一[条條篇页頁]|下一[条條篇页頁]|関連|おすすめ|オススメ|この商品を(?:買った|チェックした)|あわせて|こちらも|人気記事|今日の名言|最近チェックした|相关|相關|推荐|推薦|猜你喜欢|看了又看|还(?:买|看)了|一起(?:购买|买)|相似|热门|今日名言|관련|추천|함께 (?:구매|본)|비슷한|인기|오늘의 명언|ذات صلة|قد يعجبك|مقترحة|موصى|اقرأ أيضا|الأكثر قراءة|منتجات مشابهة|קשורים|מומלצ|אולי יעניין|संबंधित|अनुशंसित|terkait|rekomendasi|serupa|mungkin (?:anda )?suka|liên quan|gợi ý|tương tự|có thể bạn|ที่เกี่ยวข้อง|แนะนำ",
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"\b(?:popular|trending|latest|recent|newest|more (?:from|stories|news|articles|posts|in|on|to|about)|top stories|in the news|what.s new|new (?:arrivals|in|releases|books|titles|on the shel(?:f|ves))|just (?:in|arrived|landed)|advertis\w+|weather|forecast|^markets?$|stock (?:markets?|ticker)|horoscope|live scores?|follow us|share this|newsletter"
    r"|beliebt\w*|neu (?:im|in|bei|eingetroffen)|neuzugänge|neuheiten|neuerscheinungen|neueste\w*|aktuelle\w*|weitere\w*|mehr (?:aus|zum|zu|von|artikel)|wetter|börse|derniers|dernières|nouveautés|populaires|plus d.articles|à la une|météo|bourse|últim[oa]s|novedades|novidades|lançamentos|populares|más (?:noticias|de|sobre)|el tiempo|bolsa|mais (?:notícias|de|sobre)|ultime|novità|popolari|altri? (?:articoli|notizie)|meteo|borsa"
    r"|laatste|nieuw binnen|nieuwe aanwinsten|meer (?:nieuws|van|over)|weer|senaste|nyheter|nyinkommet|fler|väder|seneste|siste|flere|vejret|været|najnowsze|nowości|więcej|pogoda|nejnovější|novinky|další|počasí|последние|новинки|новые поступления|ещё|еще|популярн\w+|погода|курсы?|останні|son haberler|daha fazla|hava durumu|τελευταία|legfrissebb|további|időjárás|ultimele|mai multe|vremea)\b"
    r"|最新|新着|新作|新刊|新品|人気|ランキング|天気|热门|最近|天气|최신|날씨|أحدث|المزيد|الطقس|terbaru|cuaca|mới nhất|thời tiết",
    re.IGNORECASE,
)
_LONGEST_HEADING = 70
_WEAK_WORDS = 5

_TIP = re.compile(
    r"(?:tipp?|quote|word|fact|joke|thought|saying|verse|riddle|spruch|zitat|wort|witz|citation|mot|pensée"
    r"|blague|frase|consejo|cita|palabra|dica|citazione|consiglio|spreuk|gedachte|cytat|myśl|цитата|совет) "
    r"(?:of the (?:day|week)|des tages|der woche|du jour|de la semaine|del (?:día|giorno)|do dia"
    r"|van de (?:dag|week)|dnia|tygodnia|дня|недели)\W{0,3} [^\W_]"
    r"|(?:did you know|wussten sie(?: schon)?|schon gewusst|le saviez-vous|sab[ií]as que|você sabia|lo sapev[ai]"
    r"|wist (?:je|u) dat|visste du|vidste du|czy wiesz|víte|знаете ли вы)\W{0,5}(?:that |dass |que )?\w"
    r"|(?:ad|ads|advert|advertisement|sponsored|promoted|anzeige|werbung|publicité|publicidad|pubblicità"
    r"|publicidade|advertentie|annons|annonce|reklama|реклама|広告|广告)\s?[:：] ?\w",
    re.IGNORECASE,
)
"""What is shown for a day or sold, and what it is: often the two are lines of their own."""


def is_rotating_heading(line: str, *, strict: bool) -> bool:
    """Whether a heading announces suggestions or the like.

    Args:
        line: the heading.
        strict: leave out headings that may announce what the page is about, such as ``Latest``.
    """
    return announces_strongly(line) or (
        not strict and line.count(" ") < _WEAK_WORDS and bool(_WEAK.search(line))
    )


def announces_strongly(line: str) -> bool:
    """Whether a heading cannot well be one of what a page is about."""
    return len(line) <= _LONGEST_HEADING and bool(_STRONG.search(line))


def is_lead_in(line: str) -> bool:
    """Whether a line is one suggestion with its announcement: ``Read also: …``."""
    if _TIP.match(line):
        return True
    head, colon, rest = line.replace("：", ":", 1).partition(":")
    return bool(colon and rest.strip()) and len(head) <= 40 and bool(_STRONG.search(head))


def chrome_kind(line: str, title: str = "") -> str:
    """The class of a block that belongs to the site and not to the page, or nothing."""
    words = line.count(" ") + 1
    for kind, longest, pattern in _KINDS:
        if words <= longest and len(line) <= longest * 12 and pattern.search(line):
            if kind == "consent" and _CONSENT_PAGE.search(title):
                continue
            if kind in ("newsletter", "account") and _MONEY.search(line):
                continue
            if kind == "account" and any(map(str.isdigit, _IN_BRACKETS.sub("", line))):
                continue
            return kind
    return ""
