"""Vocabulary of many languages for classifying text (data).

Every group is a string of words and phrases separated by ``|``, in lower case. A word may belong to
several groups.
"""

from __future__ import annotations

WEEKDAYS = (
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun"
    "|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|mo|di|mi|do|fr|sa|so"
    "|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
    "|segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|segunda|terça|quarta|quinta|sexta"
    "|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag"
    "|måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag|mandag|tirsdag|lørdag|søndag"
    "|maanantai|tiistai|keskiviikko|torstai|perjantai|lauantai|sunnuntai"
    "|poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela|pondělí|úterý|středa|čtvrtek|pátek|neděle"
    "|понедельник|вторник|среда|среду|четверг|пятница|пятницу|суббота|субботу|воскресенье|пн|вт|ср|чт|пт|сб|вс"
    "|понеділок|вівторок|середа|четвер|п'ятниця|субота|неділя|pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar"
    "|δευτέρα|τρίτη|τετάρτη|πέμπτη|παρασκευή|σάββατο|κυριακή|hétfő|kedd|szerda|csütörtök|péntek|szombat|vasárnap"
    "|luni|marți|miercuri|joi|vineri|sâmbătă|duminică|senin|selasa|rabu|kamis|jumat|sabtu|minggu"
    "|月曜日|火曜日|水曜日|木曜日|金曜日|土曜日|日曜日|月曜|火曜|水曜|木曜|金曜|土曜|日曜|星期一|星期二|星期三|星期四|星期五|星期六|星期日"
    "|周一|周二|周三|周四|周五|周六|周日|월요일|화요일|수요일|목요일|금요일|토요일|일요일"
    "|الاثنين|الثلاثاء|الأربعاء|الخميس|الجمعة|السبت|الأحد|thứ hai|thứ ba|thứ tư|thứ năm|thứ sáu|thứ bảy|chủ nhật"
)

STAMPS = (
    "sunset|sunrise|sonnenaufgang|sonnenuntergang|lever du soleil|coucher du soleil|as at|correct as at|correct at|accurate as of|cached|cached at|next review|next review due|review due|"
    "stav v|stav k|stan na|läget kl|tilanne klo|ostatnio online|ostatnio aktywny|ostatnio|ostatnia aktywność|zuletzt gesehen|senast inloggad|был в сети|была в сети|"
    "last sync|last synced|last fetched|last scan|letzter abgleich|letzte synchronisierung|dernière synchronisation|última sincronización|ultima sincronizzazione|laatste synchronisatie|"
    "last activity|last login|last reply|last post|last comment|last booked|last sold|last visited|letzte aktivität|letzter beitrag|letzter besuch|dernière activité|dernière connexion|última actividad|última conexión|ultima attività|laatste activiteit|"
    "last seen|last active|last online|joined|asked|answered|commented|replied|listed|added|zuletzt online|zuletzt aktiv|gefragt|beantwortet|kommentiert|vu pour la dernière fois|répondu|preguntado|respondido|chiesto|risposto|gevraagd|beantwoord|"
    "updated|update|modified|edited|posted|published|refreshed|revised|reviewed|retrieved|generated|synced|accessed|verified"
    "|checked|created|submitted|uploaded|as of|last change|last changed|last update|last check|last refresh|last visit|timestamp"
    "|today is|current time|local time|server time|date and time|it is now|data from|snapshot|it is currently|the time is|the time now is|time now"
    "|aktuelle zeit|aktuelle uhrzeit|es ist jetzt|ortszeit|serverzeit|heute ist|heure actuelle|heure locale|heure du serveur|il est actuellement"
    "|fecha y hora oficial|hora oficial|hora actual|hora local|hora del servidor|hoy es|hora atual|hora do servidor|ora esatta|ora attuale|ora locale|oggi è"
    "|huidige tijd|lokale tijd|servertijd|aktualny czas|czas serwera|aktuální čas|aktuell tid|текущее время|местное время|время сервера|現在時刻|現在の時刻|当前时间|目前時間|현재 시간|서버 시간"
    "|aktualisiert|aktualisierung|letzte aktualisierung|stand|veröffentlicht|geändert|bearbeitet|zuletzt|erstellt|geprüft|abgerufen"
    "|gepostet|erschienen|letzte änderung|uhrzeit|mis à jour|mise à jour|publié|publiée|modifié|modifiée|actualisé|actualisée|posté"
    "|révisé|vérifié|rédigé|créé|dernière modification|maj|actualizado|actualizada|publicado|publicada|modificado|modificada|editado"
    "|revisado|última actualización|actualización|creado|última modificación|atualizado|atualizada|atualização|última atualização"
    "|postado|revisto|aggiornato|aggiornata|aggiornamento|ultimo aggiornamento|pubblicato|pubblicata|modificato|ultima modifica"
    "|bijgewerkt|gepubliceerd|gewijzigd|geplaatst|laatst|laatste wijziging|uppdaterad|uppdaterades|publicerad|publicerades|ändrad|senast"
    "|opdateret|oppdatert|publisert|publiceret|udgivet|endret|ændret|sist|senest|päivitetty|julkaistu|muokattu|viimeksi"
    "|zaktualizowano|aktualizacja|ostatnia aktualizacja|opublikowano|opublikowany|zmodyfikowano|edytowano|dodano|data publikacji"
    "|aktualizováno|aktualizace|publikováno|zveřejněno|upraveno|naposledy|aktualizované|publikované|upravené"
    "|обновлено|обновлён|обновлена|обновление|последнее обновление|опубликовано|изменено|отредактировано|добавлено"
    "|оновлено|опубліковано|змінено|востаннє|güncellendi|güncelleme|son güncelleme|güncellenme|yayınlandı|yayınlanma|yayın tarihi|düzenlendi"
    "|ενημερώθηκε|ενημέρωση|τελευταία ενημέρωση|δημοσιεύτηκε|δημοσίευση|frissítve|frissítés|utolsó frissítés|közzétéve|módosítva"
    "|actualizat|actualizare|ultima actualizare|publicat|modificat|ažurirano|objavljeno|обновено|публикувано"
    "|最終更新|最終更新日|更新日時|更新日|更新|公開日|公開|投稿日|投稿|掲載|更新于|更新时间|最后更新|发布|发布时间|发表于|發布|發表|最後更新|更新時間|修改"
    "|업데이트|최종수정|최종 수정|수정|게시|작성|등록|입력|기사입력|آخر تحديث|تحديث|تم التحديث|نشر|نُشر|تاريخ النشر|به‌روزرسانی|منتشر"
    "|עודכן|עדכון אחרון|פורסם|अपडेट|अपडेटेड|प्रकाशित|अंतिम अपडेट|diperbarui|diterbitkan|dipublikasikan|terakhir diperbarui|cập nhật|đăng lúc|xuất bản"
    "|อัปเดต|อัพเดต|อัปเดตล่าสุด|เผยแพร่"
)
"""Words before (or after) a date that says when the page was made, not what it is about."""

COUNTED = (
    "保存|つくれぽ|收藏|点赞|转发|在看|dependents|点击|点击数|浏览量|访问量|访问|点击量|زوار|الزوار|عدد الزوار|candles|"
    "stimmen|stimme|votos|voto|voti|stemmen|stemme|głosy|hlasy|голоса|голос|репост|репоста|репосты|"
    "anfragen|anfrage|demandes|consultas|richieste|aanvragen|förfrågningar|zapytań|запросов|"
    "best sellers rank|bestseller rank|sales rank|bestseller-rang|popularity|all reviews|all comments|all ratings|"
    "carts|baskets|wish lists|watchlists|playlists|warenkörben|paniers|carritos|carrelli|winkelwagens|searches|questions answered|answered questions|views today|suchanfragen|recherches|búsquedas|pesquisas|ricerche|"
    "reputation|karma points|badges|saved|open issues|issues|pull requests|commits|contributors|sponsors|discuss|discussion|discussions|helpful|recommends|endorsements|enquiries|inquiries|bids|entries|logins|sales|orders placed|customers served|mentions|citations|cited|streams|scrobbles|streamers|spectators|listeners|candidates"
    "|bewerbungen|bewerberinnen|gebote|aufrufen|lesern|käufe|merkungen|candidats|candidat|enchères|favoris|acheteurs|téléspectateurs|candidatos|pujas|favoritos|compradores|ofertas recibidas|lances|candidati|offerte ricevute|preferiti|sollicitanten|biedingen|favorieten|sökande|bud|favoriter|ansøgere|søkere|kävijää|kävijöitä|hakijaa|suosikkia|lukukertaa|tarjousta|kandydatów|ofert|ulubionych|uchazečů|oblíbených|кандидатов|откликов|ставок|избранное|відгуків|aday|teklif|favori|jelentkező|kedvenc|candidați|favorite"
    "|お気に入り登録|お気に入り登録数|見た人|閲覧者|お気に入り|ほしい物|保存数|再生|再生回数|応募者|入札|人申请|申请人|人收藏|想要|出价|찜|관심|지원자|입찰|재생"
    "|results|posts|topics|threads|replies|answers|responses|beiträge|themen|treffer|antworten|sujets|résultats|réponses|temas|resultados|respuestas|respostas|argomenti|risultati|risposte|onderwerpen|resultaten|antwoorden|inlägg|indlæg|innlegg|svar|wyników|odpowiedzi|postów|příspěvků|odpovědí|сообщений|тем|ответов|результатов|відповідей|yanıt|mesaj|konu|απαντήσεις|válasz|răspunsuri|帖子|回帖|게시물|applicants|bewerber|candidatures"
    "|view|views|pageviews|page views|reads|reader|readers|hit|hits|visit|visits|visitor|visitors|impressions|click|clicks|plays|listens"
    "|like|likes|dislike|dislikes|loves|heart|hearts|clap|claps|reaction|reactions|upvote|upvotes|downvote|downvotes|vote|votes"
    "|karma|comment|comments|reply|replies|shares|retweet|retweets|repost|reposts"
    "|bookmark|bookmarks|favorite|favorites|favourites|follower|followers|subscriber|subscribers"
    "|download|downloads|install|installs|fork|forks|watchers|stargazers|sold|bought|reviews|review|ratings|testimonials"
    "|users online|viewers|supporters|backers|signatures|pledges|wishlists"
    "|aufruf|aufrufe|mal gelesen|mal angesehen|klicks|besucher|leser|gefällt mir|likes|daumen|kommentar|kommentare|mal geteilt|geteilt"
    "|bewertungen|rezensionen|abonnenten|follower|downloads|verkauft|zugriffe|ansichten|merkzettel|beobachter"
    "|vue|vues|lectures|visites|visiteurs|lecteurs|j'aime|mentions j'aime|commentaire|commentaires|partages|abonnés|avis|téléchargements"
    "|vendus|votes|réactions|évaluations"
    "|vistas|visitas|visualizaciones|lecturas|lectores|me gusta|comentario|comentarios|compartidos|veces compartido|seguidores|suscriptores"
    "|opiniones|valoraciones|descargas|vendidos|reacciones|reseñas"
    "|visualizações|leituras|curtidas|gostos|comentário|comentários|compartilhamentos|partilhas|seguidores|inscritos|avaliações|transferências|vendidos"
    "|visualizzazioni|letture|mi piace|commento|commenti|condivisioni|iscritti|follower|recensioni|valutazioni|scaricamenti|venduti|reazioni"
    "|weergaven|keer bekeken|keer gelezen|reactie|reacties|keer gedeeld|volgers|abonnees|beoordelingen|verkocht|vind-ik-leuks"
    "|visningar|gilla-markeringar|kommentarer|delningar|följare|prenumeranter|recensioner|omdömen|nedladdningar|sålda|röster"
    "|visninger|kommentarer|delinger|følgere|abonnenter|anmeldelser|vurderinger|nedlastinger|solgt|likerklikk"
    "|katselukertaa|katselua|tykkäystä|kommenttia|jakoa|seuraajaa|tilaajaa|arvostelua|latausta"
    "|wyświetleń|wyświetlenia|odsłon|polubień|polubienia|komentarz|komentarze|komentarzy|udostępnień|udostępnienia|obserwujących|opinii|opinie|ocen|pobrań|sprzedanych|głosów"
    "|zobrazení|zhlédnutí|komentář|komentáře|komentářů|sdílení|sledujících|hodnocení|recenzí|stažení|hlasů"
    "|просмотр|просмотра|просмотров|просмотры|прочтений|лайк|лайка|лайков|лайки|комментарий|комментария|комментариев|комментарии|репостов|поделились"
    "|подписчиков|подписчика|отзыв|отзыва|отзывов|оценок|оценки|скачиваний|загрузок|продано|голосов|участников"
    "|переглядів|перегляди|коментарів|коментарі|вподобань|поширень|підписників|відгуків|завантажень"
    "|görüntüleme|görüntülenme|okunma|beğeni|yorum|paylaşım|takipçi|abone|değerlendirme|indirme|satıldı|oy"
    "|προβολές|σχόλια|σχόλιο|κοινοποιήσεις|ακόλουθοι|κριτικές|λήψεις|ψήφοι"
    "|megtekintés|kedvelés|hozzászólás|komment|megosztás|követő|feliratkozó|értékelés|letöltés|szavazat"
    "|vizualizări|aprecieri|comentarii|distribuiri|abonați|recenzii|descărcări|voturi|pregleda|komentara|komentari|sviđanja"
    "|回視聴|視聴回数|閲覧数|閲覧|アクセス|いいね|件のコメント|コメント|返信|件の返信|フォロワー|登録者|件のレビュー|レビュー|ダウンロード|票|ブックマーク"
    "|次观看|次播放|浏览|次浏览|阅读|阅读量|点赞|赞|条评论|评论|回复|转发|粉丝|收藏|下载|已售|人付款|瀏覽|閱讀|留言|則留言|讚|按讚|下載"
    "|조회수|조회|지원자 수|지원자수|스크랩 수|스크랩수|스크랩|좋아요|댓글|답글|팔로워|구독자|리뷰|후기|다운로드|추천|판매"
    "|مشاهدة|مشاهدات|إعجاب|إعجابات|تعليق|تعليقات|رد|ردود|مشاركة|مشاركات|متابع|متابعين|مشترك|تقييم|تقييمات|مراجعة|تحميل|قراءة|بازدید|نظر|دیدگاه"
    "|צפיות|לייקים|תגובות|שיתופים|עוקבים|ביקורות|הורדות|बार देखा गया|व्यूज|लाइक|टिप्पणियां|टिप्पणी|शेयर|फ़ॉलोअर"
    "|tayangan|dilihat|suka|komentar|balasan|dibagikan|pengikut|ulasan|unduhan|terjual|lượt xem|lượt thích|bình luận|phản hồi|chia sẻ|người theo dõi|đánh giá|lượt tải|đã bán"
    "|ความคิดเห็น|ถูกใจ|แชร์|ผู้ติดตาม|รีวิว|ดาวน์โหลด|👍|👎|❤|♥|♡|💬|👁|⬆|🔁|🗨"
)
"""What a counter counts."""

GREETINGS = (
    "good morning|good afternoon|good evening|good day|guten morgen|guten tag|guten abend|bonjour|bonsoir|bon après-midi|buenos días|buenas tardes|buenas noches|bom dia|boa tarde|boa noite|buongiorno|buon pomeriggio|buonasera|goedemorgen|goedemiddag|goedenavond"
    "|god morgon|god eftermiddag|god kväll|godmorgen|god morgen|god aften|godaften|hyvää huomenta|hyvää päivää|hyvää iltaa|dzień dobry|dobry wieczór|dobré ráno|dobrý den|dobrý večer|доброе утро|добрый день|добрый вечер|доброго ранку|добрий день|günaydın|iyi akşamlar|おはようございます|こんにちは|こんばんは|早上好|下午好|晚上好"
)
"""What a page says to whoever comes, by the hour."""

LIMITS = "per|pro|par|por|al|je|monatlich|max|max.|maximum|unlimited|needs|need|goal|target|ziel|objectif|objetivo|meta|obiettivo|doel|mål|cel|cíl|цель|result|ergebnis|résultat|resultado|risultato|uitslag"
"""Words that make a number an offer, a limit or an outcome."""

TOTALS = "total|all-time|overall|gesamt|insgesamt|totaal|totale|totalt|всего|celkem|łącznie|razem|合計|累計|총"


LABELLED = "watch|fork|star|days on market|days listed|tage online|jours en ligne|días publicado|dagen online|message|nachrichten|mensajes|messaggi|mensagens|berichten|meddelanden|beskeder|meldinger|wiadomości|zprávy|сообщений|сообщения|消息|メッセージ|notifications|notificaciones|notifiche|benachrichtigungen|уведомлений|гостей|гостя|member|mitglied|membre|miembro|membro|lid|medlem|jäsen|człon|člen|участник|users|members|guests|points|point|participants|attendees|friends|fans|messages|saves|reads|following|orders|share|registered users|mitglieder|gäste|membres|miembros|membri|leden|medlemmer|medlemmar|viestejä|участников|üye|返信|投稿数|件|结果|主题|답변|글|ردود|مواضيع|نتائج|شارك"
"""What is counted too, but also offered and limited: a counter only as ``Posts: 140``."""

ATTENDING = (
    "ranked|trending|on this site|on the site|auf der seite|sur le site|en el sitio|sul sito|на сайте|installed on|active installations|active installs|used by|in their wishlist|on their wishlist|in their wish list|sur leur liste|en su lista|"
    "positive feedback|feedback score|positive bewertungen|évaluations positives|votos positivos|valoraciones positivas|thanked|bedankt|remercié|agradecido|ringraziato|поблагодарили|"
    "following|are following|folgen|suivent|siguen|seguono|seguem|volgen|obserwuje|obserwują|следят|"
    "役に立った|dernières 24 heures|nachgekocht|nehmen teil|asistirán|"
    "gemerkt|gespeichert|vorgemerkt|enregistré|guardado|salvato|opgeslagen|sparad|zapisano|uloženo|сохранено|eyeing|"
    "helpful|found helpful|hilfreich|utile|útil|nuttig|hjälpsam|reposted|retweeted|booked today|people booked|signed up|have signed up|"
    "seen|wishlisted|favorited|favourited|bookmarked|upvoted|enrolled|have enrolled|liked by|followed by|shared by|eingeschrieben|inscrits|matriculados|"
    "trusted by|loved by|join over|joined by|join more than|in their bag|in their bags|in baskets|in their trolley|in shopping carts|in wishlists|on wishlists|added to cart|added to basket|in the last hour|in the last 24 hours|in the past 24 hours|in the last day|in the past hour|found this|vertrauen uns|vertrauen auf uns|in den letzten 24 stunden|im einkaufswagen|nous font confiance|dans leur panier|ces dernières 24 heures|confían en nosotros|en su carrito|en su cesta|en las últimas 24 horas|confiam em nós|no carrinho|nas últimas 24 horas|si fidano|nel carrello|nelle ultime 24 ore|vertrouwen op ons|in hun winkelwagen|in de afgelopen 24 uur|litar på oss|i varukorgen|stoler på oss|i handlekurven|w koszyku|v košíku|в корзине|у кошику|sepetinde|sepete ekledi|カートに入れ|加入购物车|장바구니|"
    "gefällt|gefallen|aime|aiment|gusta|gustan|piace|piacciono|lubi|lubią|нравится|подобається|beğendi|いいねしました|喜欢|좋아합니다|"
    "viewed|watched|downloaded|visited|played|liked|shared|interested|going|attending|gelesen|angesehen|aufgerufen|geteilt|heruntergeladen|interessiert|interessieren|vu|lu|consulté|consultée|partagé|partagée|téléchargé|intéressés|intéressées|visto|leído|compartido|descargado|interesados|lido|visualizado|compartilhado|baixado|interessados|letto|scaricato|condiviso|interessati|bekeken|gelezen|gedeeld|gedownload|geïnteresseerd|visad|läst|delad|vist|læst|lest|delt|katsottu|luettu|jaettu|wyświetlono|przeczytano|obejrzano|pobrano|zainteresowanych|zobrazeno|přečteno|staženo"
    "|просмотрено|прочитано|скачано|интересуются|переглянуто|görüntülendi|okundu|izlendi|ilgileniyor|megtekintve|olvasva|vizualizat|citit|interesați|"
    "viewing|watching|looking|browsing|reading|listening|online|active now|currently viewing|in their cart|in their basket|in carts|added this"
    "|sehen sich|schauen sich|schauen|sehen|betrachten|angesehen|interessieren sich|im warenkorb|consultent|regardent|visitent|en ligne|viendo|mirando|consultando"
    "|en línea|vendo|olhando|a ver|guardando|vedendo|visualizzando|online ora|bekijken|kijken|tittar|kigger|ser på|katsoo|ogląda|oglądają|przegląda|prohlíží"
    "|смотрят|смотрит|просматривают|онлайн|в сети|переглядають|bakıyor|inceliyor|görüntülüyor|çevrimiçi|閲覧中|見ています|オンライン|正在看|正在浏览|在线|正在瀏覽|보고|온라인|يشاهدون|متصل"
)
"""What visitors do at the moment; ``37 people are looking at this``."""

CROWD = "menschen|cooks|readers|viewers|listeners|donors|zuschauer|leserinnen|spectateurs|lecteurs|espectadores|lectores|spettatori|lettori|kijkers|lezers|widzów|czytelników|зрителей|зрителя|читателей|お客様|people|person|persons|others|shoppers|customers|buyers|users|members|visitors|fans|friends|folks|guests|travellers|travelers|leute|personen|person|kunden|käufer|nutzer|andere|gäste|personnes|personne|clients|acheteurs|utilisateurs|internautes|autres|personas|persona|clientes|compradores|usuarios|otros|pessoas|pessoa|usuários|outros|persone|persona|clienti|utenti|altri|mensen|klanten|gebruikers|anderen|personer|kunder|användare|andra|brugere|brukere|andre|ihmistä|henkilöä|käyttäjää|asiakasta|osób|osoby|klientów|użytkowników|lidí|lidé|zákazníků|uživatelů|человек|человека|людей|покупателей|пользователей|осіб|людини|kişi|kullanıcı|müşteri|άτομα|άνθρωποι|fő|ember|felhasználó|vásárló|persoane|oameni|clienți|人|名|位|명|شخص|أشخاص|אנשים|लोग|orang|người|คน"
"""Visitors without names."""

THIS = "this|these|it|them|diesen|dieses|diese|dieser|dies|ce|cet|cette|ceci|este|esta|esto|estos|lo|isto|isso|esse|essa|questo|questa|dit|deze|den här|det här|denna|detta|denne|dette|tämän|tätä|tästä|ten|to|tę|tego|tento|tuto|toto|этот|эту|это|этим|цей|цю|це|bunu|bu|αυτό|ezt|acest|această|この|これ|此|这个|该|这款|이|이것|هذا|هذه|זה|इस|ini|này|สินค้านี้"
"""Words that point at the thing on the page."""

SHOWING = "page|seite|página|pagina|sida|side|sivu|strona|strana|страница|sayfa|oldal|ページ|页|頁|페이지|showing|displaying|viewing|shown|zeige|angezeigt|anzeige|affichage|affichés|affichées|mostrando|se muestran|exibindo|visualizzati|risultati|weergegeven|getoond|visar|viser|näytetään|wyświetlanie|pokazano|zobrazeno|показано|показаны|gösterilen|gösteriliyor|megjelenítve|afișare|表示|显示|顯示|표시"
"""Words beside how much of a list is shown: ``Showing 1-20 of 345``."""

LIVE = "current|currently|right now|at the moment|live|estimated|aktuell|aktuelle|aktueller|derzeit|derzeitige|momentan|voraussichtliche|actuel|actuelle|actuellement|en ce moment|estimé|actual|actualmente|en este momento|atual|atualmente|neste momento|attuale|attualmente|al momento|huidige|momenteel|op dit moment|nuvarande|just nu|aktuel|lige nu|akkurat nå|nåværende|tällä hetkellä|aktualny|aktualnie|obecnie|aktuální|aktuálně|текущее|текущая|сейчас|поточний|зараз|şu an|şu anda|jelenlegi|jelenleg|actuală|în prezent|現在|当前|目前|现在|當前|현재|حاليا|الحالي|saat ini|hiện tại"
"""Words beside a figure of this very moment."""

WITHIN = "within|order within|in the next|innerhalb|binnen|in den nächsten|dans les|d'ici|en las próximas|dentro de|nas próximas|entro|entro le|nelle prossime|in de komende|inom|inden for|innen|seuraavan|w ciągu|během|в течение|протягом|içinde|以内|之内|이내"


YOURS = (
    "your|you have|you've|deliver to|delivering to|ship to|shipping to|you are in|near you|ihr|ihre|ihren|dein|deine|sie haben|du hast|liefern nach|lieferung nach|in ihrer nähe"
    "|votre|vous avez|il vous reste|livrer à|livraison à|ton|ta|tu as|près de chez vous|tu|su|tienes|te quedan|tiene|le quedan|enviar a|entregar en|cerca de ti|seu|sua|teu|tua|tem|você tem|restam|enviar para|entregar em"
    "|tuo|tua|il tuo|la tua|hai|ti restano|spedire a|consegna a|je|jouw|uw|je hebt|u hebt|u heeft|je hebt nog|bezorgen in|bezorgen naar|din|ditt|du har|leverans till|leveres til|levering til"
    "|twój|twoja|masz|dostawa do|wysyłka do|váš|vaše|máte|doručit do|ваш|ваша|ваше|у вас|доставка в|твій|ваші|sizin|teslimat adresi|あなたの|お届け先|您的|你的|您有|你有|配送至|送至|배송지|내"
)
"""Words by which a page speaks to whoever looks at it."""

NEARBY = (
    "deliver to|delivering to|ship to|shipping to|you are in|shop|store|branch|location|region|area|city|postcode|zip|nearest shop|local branch"
    "|liefern nach|lieferung nach|filiale|markt|standort|ort|postleitzahl|livrer à|livraison à|magasin|agence|ville|enviar a|entregar en|tienda|ciudad|ubicación|sucursal"
    "|enviar para|entregar em|loja|cidade|spedire a|consegna a|negozio|città|punto vendita|bezorgen in|bezorgen naar|winkel|vestiging|woonplaats|butik|butikk|leverans till|levering til"
    "|dostawa do|wysyłka do|sklep|miasto|prodejna|město|доставка в|магазин|город|mağaza|şehir|店舗|最寄り店|お届け先|地域|门店|城市|配送至|送至|매장|배송지"
)
"""What a page takes a visitor to be near."""

ARTICLES = "article|articles|story|stories|artikel|texte|artículo|artículos|noticias|articolo|articoli|artigo|artigos|artykuł|artykuły|artykułów|článek|články|článků|статья|статьи|статей|記事|本|文章|篇|기사"
"""What a page lets a visitor read so many of."""

BOUGHT = (
    "ordered|bought|booked|purchased|joined|signed up|subscribed|reserved|registered|bestellt|gekauft|gebucht|reserviert|angemeldet|acheter|d'acheter|commander|réserver|acheté|commandé|réservé"
    "|comprar|compró|reservar|pedido|comprado|reservado|comprou|compraram|compraron|reservou|acquistato|ordinato|prenotato|besteld|gekocht|geboekt|köpte|beställde|bokade|kjøpte|bestilte|købte|kupił|kupiła|zamówił|zamówiła|zarezerwował"
    "|koupil|koupila|objednal|objednala|купил|купила|заказал|заказала|забронировал|satın aldı|sipariş verdi|購入|注文|予約|购买|下单|预订|구매|주문"
)
"""What somebody did a moment ago, as shops like to tell."""

JUST = "just|gerade|soeben|vient|viennent|acaba|acaban|acabou|acabaram|appena|net|zojuist|precis|lige|nettopp|właśnie|právě|только что|щойно|az önce|たった今|刚刚|刚|剛剛|방금"

PLAYING = (
    "now playing|on air|on air now|now on air|playing now|you are listening to|jetzt läuft|es läuft|gerade läuft|im radio|en direct|à l'antenne|en ce moment|suena ahora|en antena|ahora suena|in onda|ora in onda|no ar|tocando agora|nu op de radio|je luistert naar"
    "|nu spelas|spilles nu|spilles nå|teraz gramy|na antenie|právě hrajeme|сейчас в эфире|в эфире|şimdi çalıyor|放送中|再生中|正在播放|지금 재생"
)
"""Words before what is being played."""

REPLYING = "average wait|current wait|hold time|time on hold|replies|replies in|responds|responds in|reply time|response time|average reply|typically replies|usually responds|wait time|waiting time|antwortet|antwortzeit|wartezeit|répond|temps de réponse|temps d'attente|responde|tiempo de respuesta|tiempo de espera|tempo de resposta|tempo de espera|risponde|tempo di risposta|tempo di attesa|reageert|reactietijd|wachttijd|svarar|svarstid|väntetid|svarer|ventetid|vastaa|odpowiada|czas oczekiwania|odpovídá|отвечает|время ожидания|返信時間|待ち時間|回复时间|等待时间|대기시간"
"""Words beside how long somebody takes to answer."""

APPROXIMATE = "over|almost|about|nearly|around|approximately|roughly|some|more than|less than|at least|just over|a little over|über|fast|etwa|ungefähr|rund|circa|ca|ca.|mehr als|weniger als|gut|knapp|plus de|moins de|environ|presque|près de|más de|menos de|casi|aproximadamente|cerca de|unos|unas|mais de|quase|più di|meno di|quasi|meer dan|bijna|ongeveer|mer än|nästan|ungefär|mere end|mer enn|nesten|næsten|yli|lähes|noin|ponad|około|prawie|více než|téměř|asi|более|менее|почти|около|понад|майже|близько|yaklaşık|neredeyse|több mint|körülbelül|peste|aproape|約|大约|超过|약"
"""Words before a length of time that is not exact."""

SINCE = "for|since|seit|depuis|desde hace|desde|da|sinds|sedan|siden|od|с|з|από|óta|de"
"""Words before how long something has lasted."""

FOUND = "found|gefunden|trouvés|trouvées|encontrados|encontradas|trovati|trovate|gevonden|hittade|fundet|funnet|znaleziono|nalezeno|найдено|знайдено|bulundu|件中|共"
"""Words beside how many of something there are in a list."""

SIGNED = "signed|made|cooked|baked|tried|unterschrieben|gespendet|signé|réalisé|firmado|cocinado|firmato|preparata|assinaram|getekend|skrivit under|podpisało|podpisali|podepsalo|подписали|поддержали|署名"
"""What many people did, each alike."""

TIMES = "times|time|mal|fois|vez|veces|vezes|volte|volta|keer|maal|gånger|gange|ganger|kertaa|razy|razem|krát|раз|раза|разів|kez|defa|φορές|alkalommal|ori|回|次|번|مرة|מרות|बार|kali|lần|ครั้ง"
"""Words behind how often something was done."""

NEXT = "next|nächste|nächster|nächstes|prochain|prochaine|próximo|próxima|prossimo|prossima|volgende|nästa|næste|neste|seuraava|następny|następna|další|следующий|следующая|наступний|sonraki|następne|következő|următorul|次の|次回|下次|下一|다음"

DELIVERIES = (
    "delivery|delivered|delivers|deliver|arrives|arriving|get it|get it by|receive it|receive by|ships|dispatch|dispatched|shipping|lieferung|zustellung|lieferbar|versand|livraison|livré|expédition|recevez|entrega|recíbelo|llega|envío|consegna|spedizione|ricevilo"
    "|levering|leverans|bezorging|bezorgd|dostawa|doručení|доставка|доставим|teslimat|お届け|配送|送达|送達|배송|도착"
)
"""Words beside the day on which something would come if it were ordered now."""

ESTIMATED = "estimated|expected|between|as soon as|voraussichtlich|voraussichtliche|zwischen|estimée|estimé|prévue|estimada|prevista|stimata|verwacht|beräknad|forventet|przewidywana|předpokládané|ожидается|tahmini|予定|頃|预计|預計|예정"
"""Words beside a day that nobody promises."""

ALREADY = "already|so far|to date|bereits|schon|bisher|déjà|jusqu'ici|à ce jour|ya|ya somos|hasta ahora|hasta la fecha|já|até agora|già|finora|ad oggi|al|reeds|tot nu toe|redan|hittills|allerede|indtil nu|jo|już|dotychczas|už|již|dosud|уже|вже|şimdiye kadar|すでに|これまでに|已有|已经|이미"
"""Words beside how many have come together by now."""

WEATHER = "cloudy|clouds|cloud|sunny|sun|clear|overcast|rain|rainy|showers|drizzle|fog|foggy|mist|snow|snowy|windy|thunderstorms|thunderstorm|storm|haze|feels like|humidity|sonnig|bewölkt|wolkig|heiter|regen|regnerisch|schauer|nebel|schnee|bedeckt|klar|gefühlt|nuageux|ensoleillé|couvert|pluie|averses|brouillard|neige|éclaircies|ressenti|soleado|nublado|nubes|lluvia|despejado|niebla|nieve|soleggiato|nuvoloso|pioggia|sereno|nebbia|neve|ensolarado|chuva|nevoeiro|zonnig|bewolkt|buien|mist|sneeuw|solig|molnigt|regn|klart|słonecznie|pochmurno|deszcz|облачно|ясно|дождь|снег|晴れ|曇り|雨|雪|晴|多云|阴|맑음|흐림"
"""Words for the sky."""

UNREAD = "new|unread|neue|ungelesene|nouveaux|nouvelles|non lus|nuevos|nuevas|sin leer|novos|novas|nuovi|nuove|nieuwe|ongelezen|nya|olästa|nye|ulæste|nowe|nieprzeczytane|nové|новых|новые|непрочитанных"

POWERED = "powered by|site by|website by|built with|built by|created using|created with|generated by|running on|betrieben mit|erstellt mit|propulsé par|réalisé avec|desarrollado con|creado con|realizzato con|desenvolvido por|gemaakt met"
"""Words before the name and version of a site's machinery."""

FILLERS = "see all|view all|show all|read all|show|view|see|load|alle anzeigen|alle ansehen|voir tous les|voir toutes les|ver todas las|ver todos los|ver todos os|ver todas as|vedi tutte le|vedi tutti i|bekijk alle|toon alle|visa alla|vis alle|zobacz wszystkie|zobrazit všechny|показать все|tümünü gör|すべて見る|查看全部|全部|모두 보기|be|the|first|among|one|of|over|more|than|already|no|not|yet|so|far|to|a|an|leave|write|add|post|your|early|ein|eine|einen|sei|seien|sie|der|die|das|erste|ersten|unter|über|mehr|als|bereits|schon|noch|keine|kein|zu|soyez|le|la|les|premier|première|parmi|premiers|plus|de|déjà|aucun|aucune|pas|encore|à|un|une|sé|el|los|primeros|primero|primera|en|entre|más|ya|sin|aún|seja|o|os|primeiro|mais|já|nenhum|ainda|sii|il|lo|i|primo|tra|primi|più|già|nessun|nessuna|ancora|wees|het|eerste|meer|dan|geen|nog|inga|ännu|ingen|endnu|ennå|ei|vielä|brak|jeszcze|zatím|žádné|нет|пока|первым|будьте|будь|henüz|yok|ilk|まだ|暂无|还没有|아직|没有"
"""Words that a counter is said with and that say nothing beside it."""

READING = (
    "read|reading time|min read|minute read|time to read|lesezeit|lesedauer|lecture|temps de lecture|de lecture|lectura|tiempo de lectura|leitura|tempo de leitura"
    "|lettura|tempo di lettura|leestijd|lezen|läsning|lästid|læsetid|lesetid|lukuaika|czytania|czas czytania|čtení|čtení zabere|чтения|время чтения|читать|читання|okuma|okuma süresi"
    "|ανάγνωση|olvasás|olvasási idő|citire|timp de citire|で読めます|読了|阅读时间|阅读时长|閱讀時間|읽기|قراءة|וקריאה|baca|waktu baca|đọc|अध्ययन|पढ़ें"
)

COUNTDOWN = (
    "clôture dans|fermeture dans|ouverture dans|départ dans|début dans|cierre en|cierra en|apertura en|fecha em|abre em|abre en|chiusura tra|apertura tra|öffnet wieder in|schliesst in|refresh in|refreshing in|refreshes in|reload in|reloading in|reloads in|updating in|updates in|next update in|next refresh in|aktualisierung in|actualisation dans|mise à jour dans|se actualiza en|actualización en|atualiza em|atualização em|aggiornamento tra|ververst over|uppdateras om|odświeżenie za|обновление через|"
    "end in|close in|start in|starting in|begin in|beginning in|expire in|expiring in|over in|live in|opens in|opening in|resets in|renews in|sale ends in|time left|noch nur|beginnt in|startet in|schließt in|öffnet in|läuft noch|commence dans|se termine en|finit dans|ferme dans|expire dans|empieza en|comienza en|cierra en|vence en|finaliza en|começa em|encerra em|acaba em|inizia tra|chiude tra|finisce tra|begint over|sluit over|börjar om|stänger om|starter om|slutter om|alkaa|päättyy|kończy się za|zaczyna się za|končí za|začíná za|заканчивается через|начнётся через|начнется через|закінчується через|bitmesine|başlamasına|終了まで|開始まで|距结束|距离结束"
    "|queda|falta|reste|il reste|resta|manca|ends in|ending in|closes in|closing in|starts in|begins in|expires in|left|remaining|to go|countdown|endet in|noch|verbleibend|verbleiben|läuft ab in"
    "|se termine dans|fin dans|restant|restants|restantes|plus que|termina en|quedan|faltan|acaba en|termina em|faltam|restam|scade tra|termina tra|mancano|rimangono"
    "|nog|eindigt over|kvar|slutar om|tilbage|igjen|jäljellä|pozostało|zostało|zbývá|осталось|залишилось|kaldı|残り|あと|还剩|剩余|剩餘|남음|남았습니다|متبقي|lagi|còn lại"
)

CURRENT = (
    "in diesem monat|diesen monat|ce mois-ci|ce mois|este mes|questo mese|este mês|deze maand|w tym miesiącu|tento měsíc|в этом месяце|今月|本月|이번 달|"
    "last week|last month|this week|this month|a few minutes ago|a few seconds ago|few minutes ago|few seconds ago|a while ago|letzte woche|diese woche|vor kurzem|vor wenigen minuten|la semaine dernière|cette semaine|il y a un instant|il y a quelques minutes|la semana pasada|esta semana|hace un momento|hace unos minutos|hace poco|semana passada|há pouco|la settimana scorsa|questa settimana|poco fa|qualche minuto fa|vorige week|deze week|zojuist|förra veckan|för en stund sedan|sidste uge|forrige uke|viime viikolla|w zeszłym tygodniu|minulý týden|на прошлой неделе|на этой неделе|недавно|geçen hafta|先週|今週|上周|本周|지난주|이번 주|"
    "today|tonight|now|just now|yesterday|tomorrow|this morning|moments ago|a moment ago|recently|heute|jetzt|gerade eben|gestern|aujourd'hui|hier|à l'instant|hoy|ayer|ahora|hoje|ontem|agora"
    "|oggi|ieri|adesso|vandaag|gisteren|nu|net|idag|igår|i dag|i går|nyss|akkurat nå|lige nu|tänään|eilen|juuri nyt|dzisiaj|dziś|wczoraj|przed chwilą|dnes|včera|právě teď"
    "|сегодня|вчера|только что|сьогодні|вчора|щойно|bugün|dün|az önce|şimdi|σήμερα|χθες|μόλις τώρα|ma|tegnap|most|astăzi|azi|ieri|chiar acum|今日|本日|昨日|たった今|今天|昨天|刚刚|剛剛"
    "|오늘|어제|방금|اليوم|أمس|الآن|للتو|היום|אתמול|הרגע|आज|अभी|hari ini|kemarin|baru saja|hôm nay|hôm qua|vừa xong|วันนี้|เมื่อวาน|เมื่อสักครู่"
)
"""Words for a moment that moves with the reader."""

MACHINE = (
    "request took|query took|search took|processed in|response in|completed in|results in|generated in|rendered in|loaded in|page generated|page loaded|page rendered|executed in|queries in|served in|served by|seite generiert|generiert in|geladen in|généré en|générée en"
    "|generado en|generada en|gerado em|generato in|gegenereerd in|страница сгенерирована|сгенерировано за"
)
BINDING = (
    "effective|effect|valid|deadline|due|expires|expiry|expire|closing|apply by|in force|takes effect|starts|start|begins|ends|end|doors|departure|arrival|departs|arrives|check-in|release date|launch|event|when|appointment|hearing|exam|meeting"
    "|gültig|kraft|frist|bewerbungsfrist|einsendeschluss|wirksam|beginn|ende|fällig|einlass|termin|abfahrt|ankunft|anmeldeschluss|date limite|en vigueur|entrée en vigueur|valable|échéance|début|fin|clôture|vigente|vigencia|vigor|plazo|fecha límite|vence|inicio|cierre|prazo|vigência|vence|início|término"
    "|scadenza|vigore|valido|inizio|fine|termine|geldig|ingang|deadline|sluitingsdatum|aanvang|giltig|gäller|sista ansökningsdag|frist|gyldig|voimassa|määräaika|ważny|termin|obowiązuje|platnost|uzávěrka|termín|срок|действует|вступает|начало|дедлайн|термін|набирає|son tarih|geçerli|başlangıç|προθεσμία|ισχύει|határidő|érvényes|termen|valabil"
    "|締切|締め切り|応募締切|有効|開催日|開催日時|期限|施行|截止|截止日期|有效|生效|日期|마감|유효|시행|일시|آخر موعد|صالح|يسري|מועד אחרון|בתוקף|अंतिम तिथि|batas waktu|berlaku|hạn|hiệu lực"
)
"""Words that make a date matter wherever it stands."""
ARRIVALS = "signed in as|logged in as|angemeldet als|eingeloggt als|connecté en tant que|connectée en tant que|sesión iniciada como|conectado como|accesso effettuato come|ingelogd als|inloggad som|logget ind som|zalogowany jako|přihlášen jako|вы вошли как|someone in|somebody in|someone from|jemand aus|jemand in|quelqu'un à|quelqu'un de|alguien de|alguien en|alguém de|alguém em|qualcuno a|qualcuno da|iemand uit|någon i|nogen i|ktoś z|кто-то из|newest member|latest member|newest user|our newest|neuestes mitglied|neuester benutzer|nouveau membre|dernier membre|nuevo miembro|miembro más reciente|membro mais novo|nuovo iscritto|ultimo iscritto|nieuwste lid|senaste medlem|nyeste medlem|najnowszy użytkownik|nejnovější člen|новый участник|новый пользователь|новий учасник|yeni üye|最新会员|新規会員"
"""Words before the name of whoever came last."""
HANDLES = "rev|commit|sha|build|transaction id|transaktions-id|ip address|your ip|ip-adresse|adresse ip|dirección ip|endereço ip|indirizzo ip|ip-adres|session|session id|sid|request id|request-id|ray id|trace id|trace|correlation id|visitor id|csrf|nonce|token|incident id|error id|reference id|sitzung|sitzungs-id|identifiant de session|id de sesión"
"""Words before an opaque token that is new at each visit."""

CLOCK_WORDS = "am|pm|a.m|p.m|a.m.|p.m.|uhr|h|utc|gmt|cet|cest|est|edt|pst|pdt|mst|bst|ist|jst|msk|мск|klo|kl|kl.|ore|hrs|o'clock|ч|時|点|시|at|um|à|a las|às|alle|om|lúc|pukul|tentang"

NEGATIONS = (
    "not|no|never|none|nor|neither|nobody|nothing|nowhere|without|cannot|can't|won't|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|shouldn't|mustn't|couldn't|wouldn't|haven't|hasn't|hadn't|n't|yes|unable"
    "|nicht|kein|keine|keinen|keiner|keinem|keines|nie|niemals|nichts|ohne|weder|ja|nein|pas|jamais|aucun|aucune|rien|sans|ni|oui|non|nunca|jamás|ningún|ninguna|ninguno|nada|sin|tampoco|sí"
    "|não|nenhum|nenhuma|sem|nem|sim|mai|nessun|nessuna|nessuno|niente|nulla|senza|sì|né|niet|geen|nooit|niets|zonder|noch|nee|inte|aldrig|ingen|inget|inga|utan|nej|ikke|ikkje|aldri|intet|uden|uten|nei"
    "|ei|eivät|älä|ilman|kyllä|nie|nigdy|żaden|żadna|bez|tak|ani|nikdy|žádný|žádná|ano|není|nejsou|нет|не|никогда|ни|без|нельзя|да|ні|ніколи|немає|жоден|так|değil|yok|hayır|evet|asla|hiç|hiçbir|olmayan|olmadan"
    "|δεν|μη|μην|όχι|ποτέ|χωρίς|κανένα|ναι|nem|nincs|nincsenek|soha|nélkül|igen|nu|fără|niciun|nicio|niciodată|da|ない|ません|なし|不可|無し|無|非|未|不|没|沒|没有|沒有|无|非|勿|别|否|いいえ|はい"
    "|안|않|못|없|아니|금지|لا|لم|لن|ليس|ليست|غير|بدون|نعم|كلا|נא|לא|אין|בלי|ללא|אסור|כן|नहीं|न|मत|बिना|ना|हाँ|tidak|bukan|jangan|belum|tanpa|không|chưa|chẳng|đừng|ไม่|ห้าม|ไม่มี|✓|✔|✗|✘|✕|✅|❌"
)

MODALS = (
    "must|may|shall|should|can|might|required|requires|require|mandatory|obligatory|compulsory|optional|recommended|prohibited|forbidden|banned|allowed|allow|permitted|permit|except|excluding|unless|only|until|always"
    "|all|any|every|both|half|either|at least|at most|up to|fewer|minimum|maximum|min|max|above|below|increase|increased|increases|decrease|decreased|reduced|raised|lowered|higher|lower|limited|unlimited"
    "|muss|müssen|darf|dürfen|soll|sollen|sollte|kann|können|erforderlich|verpflichtend|pflicht|freiwillig|optional|verboten|untersagt|erlaubt|gestattet|außer|nur|mindestens|höchstens|maximal|minimal|jede|jeder|jedes|unbegrenzt"
    "|doit|doivent|devez|peut|peuvent|pouvez|devrait|obligatoire|facultatif|facultative|interdit|interdite|autorisé|autorisée|sauf|uniquement|seulement|jusqu'à|chaque|quelques|toujours|minimum|maximum|illimité|moitié"
    "|debe|deben|deberá|puede|pueden|podrá|obligatorio|obligatoria|opcional|prohibido|prohibida|permitido|permitida|excepto|salvo|solo|sólo|únicamente|hasta|todos|todas|cada|algunos|siempre|mínimo|máximo|ilimitado|mitad"
    "|deve|devem|pode|podem|deverá|poderá|obrigatório|obrigatória|proibido|proibida|exceto|apenas|somente|até|algum|sempre|ilimitado|metade|devono|può|possono|dovrà|potrà|obbligatorio|obbligatoria|facoltativo|vietato|vietata|consentito|tranne|solo|soltanto|fino|tutti|tutte|ogni|alcuni|sempre|illimitato|metà"
    "|moet|moeten|mag|mogen|kunnen|zal|verplicht|optioneel|verboden|toegestaan|behalve|alleen|vóór|elke|sommige|altijd|minimaal|maximaal|måste|får|ska|skall|bör|obligatorisk|valfri|förbjudet|tillåtet|endast|bara|alla|varje|alltid|minst|högst|skal|må|bør|forbudt|tilladt|tillatt|hver|altid|alltid|mindst|minst|højst"
    "|täytyy|pitää|saa|voi|pakollinen|kielletty|sallittu|vain|kaikki|aina|vähintään|enintään|musi|muszą|może|mogą|powinien|należy|obowiązkowy|obowiązkowe|zabronione|dozwolone|tylko|wszystkie|każdy|zawsze|minimum|maksymalnie|musí|smí|může|mohou|povinný|povinné|zakázáno|povoleno|pouze|jen|všechny|každý|vždy|nejméně|nejvýše"
    "|должен|должна|должны|может|могут|можно|нужно|обязательно|обязательный|запрещено|разрешено|кроме|только|все|каждый|некоторые|всегда|минимум|максимум|повинен|повинні|може|можуть|можна|обов'язково|заборонено|дозволено|тільки|лише|всі|завжди|zorunlu|gerekli|yasak|serbest|sadece|yalnızca|hariç|tüm|her|bazı|daima|en az|en fazla|olabilir"
    "|πρέπει|μπορεί|υποχρεωτικό|προαιρετικό|απαγορεύεται|επιτρέπεται|μόνο|όλα|όλοι|κάθε|πάντα|kell|lehet|szabad|tilos|kötelező|opcionális|csak|minden|mindig|legalább|legfeljebb|trebuie|poate|pot|obligatoriu|opțional|interzis|permis|doar|numai|toți|toate|fiecare|întotdeauna"
    "|必須|必要|任意|禁止|許可|可能|以内|以上|以下|未満|まで|から|すべて|全て|のみ|だけ|必须|必需|可以|应当|应该|允许|仅|只|所有|全部|至少|最多|必須|可選|可选|允許|應當|僅|필수|선택|가능|불가|허용|이상|이하|까지|모든|만|해야"
    "|يجب|يمكن|إلزامي|اختياري|ممنوع|مسموح|فقط|جميع|كل|بعض|دائما|חייב|מותר|חובה|רשות|רק|כל|תמיד|अनिवार्य|वैकल्पिक|केवल|सभी|सकते|चाहिए|harus|wajib|boleh|dapat|opsional|dilarang|hanya|semua|setiap|phải|bắt buộc|được phép|chỉ|tất cả|mỗi|ต้อง|เฉพาะ|ทั้งหมด"
)
"""Words that bind, allow, forbid or limit."""

STATES = (
    "in stock|out of stock|low stock|back in stock|stock|auf lager|vorrätig|en stock|rupture de stock|hors stock|en existencias|sin existencias|em estoque|em stock|in magazzino|non disponibile|op voorraad|i lager|på lager|varastossa|w magazynie|na stanie|skladem|в наличии|в наявності|stokta|raktáron|în stoc|在庫あり|在庫なし|在庫切れ|入荷|有货|缺货|有貨|缺貨|현货|재고|품절|متوفر|"
    "free|paid|open|opened|opens|closed|closes|available|unavailable|cancelled|canceled|postponed|delayed|rescheduled|resolved|investigating|identified|monitoring|operational|outage|degraded|disruption|disrupted|maintenance|sold|sold out|discontinued|deprecated|removed|suspended|expired|active|inactive|enabled|disabled|included|excluded|includes|excludes|public|private|empty|beta|alpha|stable|experimental|remote|hybrid|onsite|on-site|full-time|part-time|temporary|permanent|contract|urgent|critical|recalled|withdrawn|approved|rejected|denied|confirmed|unconfirmed|guilty|innocent|dead|alive|killed|injured|wounded|missing|arrested|resigned|fired|elected|won|lost|banned|safe|unsafe|dangerous|legal|illegal|true|false|sale|preorder|pre-order|filled|vacant|refundable|non-refundable|true|false|online|offline|partial|major|minor|monthly|weekly|daily|annually|yearly|annual|hourly|quarterly|indoor|outdoor"
    "|kostenlos|gratis|kostenpflichtig|geöffnet|geschlossen|offen|verfügbar|lieferbar|ausverkauft|abgesagt|verschoben|verlegt|behoben|gestört|störung|wartung|besetzt|abgelaufen|gültig|ungültig|aktiv|inaktiv|befristet|unbefristet|vollzeit|teilzeit|enthalten|inklusive|zuzüglich|monatlich|jährlich|wöchentlich|täglich"
    "|gratuit|gratuite|payant|payante|ouvert|ouverte|fermé|fermée|disponible|indisponible|annulé|annulée|reporté|reportée|complet|résolu|expiré|actif|inactif|inclus|exclu|temps plein|temps partiel|cdi|cdd|mensuel|annuel"
    "|abierto|abierta|cerrado|cerrada|agotado|agotada|cancelado|cancelada|aplazado|aplazada|resuelto|caducado|incluido|gratuito|mensual|anual|aberto|fechado|esgotado|adiado|resolvido|grátis|aperto|chiuso|disponibile|esaurito|annullato|rinviato|risolto|scaduto|gratuito|incluso"
    "|geopend|gesloten|beschikbaar|uitverkocht|geannuleerd|uitgesteld|opgelost|öppet|stängt|slutsåld|inställt|uppskjuten|löst|åben|lukket|udsolgt|aflyst|udskudt|åpent|stengt|utsolgt|avlyst|utsatt|avoinna|suljettu|peruttu|siirretty"
    "|darmowy|płatny|otwarte|zamknięte|dostępny|niedostępny|odwołany|odwołane|przełożony|wyprzedane|zdarma|otevřeno|zavřeno|zrušeno|odloženo|vyprodáno|бесплатно|бесплатный|платный|платно|открыто|открыт|закрыто|закрыт|доступно|недоступно|отменён|отменен|отменено|перенесён|перенесен|перенесено|устранено|безкоштовно|відкрито|закрито|скасовано|перенесено"
    "|ücretsiz|ücretli|açık|kapalı|iptal|ertelendi|tükendi|δωρεάν|ανοιχτό|κλειστό|ακυρώθηκε|αναβλήθηκε|ingyenes|nyitva|zárva|elmarad|elfogyott|gratuit|deschis|închis|anulat|amânat"
    "|無料|有料|中止|延期|終了|受付中|満席|募集中|販売終了|営業|休業|開催|復旧|障害|免费|收费|开放|关闭|取消|推迟|已满|已结束|售罄|恢复|故障|免費|關閉|延後|무료|유료|취소|연기|종료|마감|모집|매진|영업|휴업|مجاني|مدفوع|مفتوح|مغلق|ملغى|مؤجل|متاح|חינם|פתוח|סגור|בוטל|נדחה|मुफ्त|रद्द|बंद|खुला|gratis|berbayar|buka|tutup|dibatalkan|ditunda|miễn phí|mở cửa|đóng cửa|hủy|hoãn"
)
"""Words for a state that a thing is in or not in."""

NUMBER_WORDS = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|third|fourth|fifth|sixth|twice|dozen|double|triple"
    "|null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig|hundert|tausend|einmal|zweimal|doppelt|zweite|dritte"
    "|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente|quarante|cinquante|soixante|cent|mille|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|quince|veinte|treinta|cuarenta|cincuenta|cien|mil|dois|duas|três|sete|oito|nove|dez|vinte|trinta|cem"
    "|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|venti|trenta|quaranta|cinquanta|cento|mille|twee|drie|vijf|zes|zeven|acht|negen|tien|twintig|dertig|honderd|duizend|två|fyra|fem|sex|sju|åtta|nio|tio|fire|seks|syv|otte|ni|ti|dwa|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć|dziesięć"
    "|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|двадцать|тридцать|сто|тысяча|iki|üç|dört|beş|altı|yedi|sekiz|dokuz|yirmi|otuz|yüz|二|三|四|五|六|七|八|九|十|百|千|万|億|两"
)

MEASURES = (
    "kg|g|mg|lb|lbs|oz|t|km|m|cm|mm|mi|mile|miles|ft|feet|inch|inches|in|yd|l|ml|cl|gal|litre|litres|liter|liters|gb|mb|tb|kb|mhz|ghz|hz|kw|kwh|w|v|mah|wh|nm|bar|psi|°c|°f|%|percent|prozent|pour cent|por ciento|per cento"
    "|hour|hours|day|days|week|weeks|month|months|year|years|minute|minutes|night|nights|stunden|tage|wochen|monate|jahre|heures|jours|semaines|mois|ans|horas|días|semanas|meses|años|dias|ore|giorni|settimane|mesi|anni"
)
"""Units that, changed beside a number, change what the number means."""

OPEN = "open|opened|opens|closed|closes|shut|geöffnet|geschlossen|offen|ouvert|ouverte|fermé|fermée|abierto|abierta|cerrado|cerrada|aberto|aberta|fechado|fechada|aperto|aperta|chiuso|chiusa|geopend|gesloten|öppet|öppen|stängt|stängd|åben|åbent|lukket|åpen|åpent|stengt|avoinna|auki|suljettu|kiinni|otwarte|otwarty|zamknięte|zamknięty|otevřeno|zavřeno|открыто|открыт|закрыто|закрыт|відчинено|зачинено|açık|kapalı"
"""What a shop or an office is by the hour."""

FOR_A_SEASON = "applications|application|registration|registrations|enrolment|enrollment|admission|admissions|submissions|entries|nominations|bookings|booking|reservations|positions|vacancies|tickets|presale|sales|voting|polls|tenders|beta|waitlist|bewerbung|bewerbungen|anmeldung|anmeldungen|einschreibung|bewerbungsfrist|vorverkauf|buchung|buchungen|candidatures|inscriptions|inscription|réservations|billetterie|inscripciones|inscripción|solicitudes|convocatoria|reservas|inscrições|candidaturas|iscrizioni|iscrizione|candidature|prenotazioni|aanmelding|aanmeldingen|inschrijving|inschrijvingen|ansökan|ansökningar|anmälan|ansøgning|tilmelding|søknad|påmelding|haku|ilmoittautuminen|zapisy|rekrutacja|přihlášky|запись|регистрация|приём|реєстрація|kayıt|başvuru|başvurular"
"""What opens and closes once, not every day."""

DECIDED = "limit|limits|minimum|maximum|min|max|allowance|allowed|permitted|age|distance|term|deadline|tempolimit|höchstgeschwindigkeit|mindestalter|höchstalter|grenze|grenzwert|limite|limites|minimale|maximale|âge|límite|límites|mínimo|mínima|máximo|máxima|edad|idade|massimo|massima|minimo|minima|età|limiet|leeftijd|gräns|grænse|grense|raja|limitu|лимит|предел|возраст"
"""What a rule sets; it holds from now on, and is no reading of this moment."""
