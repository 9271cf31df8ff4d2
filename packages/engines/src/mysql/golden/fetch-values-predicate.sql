SELECT `weather` AS `weather`
FROM `seattle_weather`
WHERE (weather <> 'snow')
GROUP BY `weather`
ORDER BY `weather` IS NULL ASC, `weather` ASC
LIMIT 50000;
-- []
